import { randomBytes } from "node:crypto";
import { cloneNamed, type TestDatabase } from "./clone.ts";

export { dropClone, superuserUrl, type TestDatabase } from "./clone.ts";

/** This Vitest worker's own database. Files that run in one worker after another share it, so tests use fresh ids. */
export const testDatabase: TestDatabase = await cloneNamed(`w${process.env.VITEST_POOL_ID ?? process.pid}`);

/** A database of the caller's own, empty but migrated; it goes at the end of the run, or sooner by `dropClone`. */
export async function freshDatabase(): Promise<TestDatabase> {
  return await cloneNamed(`f${randomBytes(6).toString("hex")}`);
}
