import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/setup/files.mjs";

/** A test as a page of docs/ names it: a link to its file, and its name in it. */
const namedTest = /^\[(.+?)\]\(<?\.\.\/\1>?\): (.+)$/;

/** Whether the test is there. */
export function isThere(named: string): boolean {
  const [, file, name] = namedTest.exec(named) ?? [];
  if (file === undefined || name === undefined) return false;
  const path = join(root, file);
  return existsSync(path) && readFileSync(path, "utf8").includes(name);
}
