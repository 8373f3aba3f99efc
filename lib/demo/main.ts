import { sharedStore } from "#lib/db/db";
import { demoEnvironment } from "./environment.ts";
import { makeDemo } from "./make.ts";
import { acrossPractices } from "#lib/db/for-practices";

try {
  const given = demoEnvironment();
  await makeDemo(acrossPractices(sharedStore(), "demo"), given);
  await sharedStore().close();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
