import { randomBytes } from "node:crypto";
import { cloneAnew, cloneNamed, type TestDatabase } from "./clone.ts";

export { dropClone, superuserUrl, type TestDatabase } from "./clone.ts";

const worker = `w${process.env.VITEST_POOL_ID ?? process.pid}`;

/** This test file's own database, so that no file sees what another left. The file before it in this worker is done. */
export const testDatabase: TestDatabase = await cloneAnew(worker);

/** A database of the caller's own, empty but migrated; it goes at the end of the run, or sooner by `dropClone`. */
export async function freshDatabase(): Promise<TestDatabase> {
  return await cloneNamed(`f${randomBytes(6).toString("hex")}`);
}
