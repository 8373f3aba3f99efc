import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The parsed file, or `otherwise` where it is absent or was cut short by a crash. */
export function readJson(path, otherwise) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return otherwise;
  }
}

/** Replaces the file in one step, so that a crash leaves the old or the new one; only its owner may read it. */
export function writePrivate(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}

export function writePrivateJson(path, value) {
  writePrivate(path, `${JSON.stringify(value, null, 2)}\n`);
}

export function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

/** One digest over the names and bytes of these files and folders; absent ones count as absent. */
export function digestOf(paths, { except = () => false } = {}) {
  const hash = createHash("sha256");
  for (const file of paths.flatMap((path) => filesUnder(join(root, path))).sort()) {
    if (except(file)) continue;
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update("\0");
  }
  return hash.digest("hex");
}

function filesUnder(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesUnder(join(path, name)));
}
