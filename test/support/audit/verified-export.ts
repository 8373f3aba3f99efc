import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the verifier that is handed out says, in a process of its own and with nothing but the file and the key. */
export function verifiedExport(
  lines: readonly string[],
  { folder, publicKey }: { readonly folder: string; readonly publicKey: string },
): { readonly code: number | null; readonly out: string; readonly err: string } {
  const file = join(folder, "export.jsonl");
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  const args = ["public/audit-verify.mjs", file, publicKey];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}
