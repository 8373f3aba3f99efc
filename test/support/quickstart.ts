import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../../scripts/setup/files.mjs";

const guide = readFileSync(join(root, "docs", "developers", "quickstart.md"), "utf8");

/** A block of the guide: its heading, what stands before it since the block before, its language and its text. */
type Block = { readonly heading: string; readonly before: string; readonly language: string; readonly text: string };

export const quickstartBlocks: readonly Block[] = blocksOf(guide);

function blocksOf(markdown: string): readonly Block[] {
  let heading = "";
  return [...markdown.matchAll(/([^]*?)\n```(\w+)\n([^]*?\n)```\n/g)].map(
    ([, before = "", language = "", text = ""]) => {
      heading = [...before.matchAll(/^## (.+)$/gm)].at(-1)?.[1] ?? heading;
      return { heading, before, language, text };
    },
  );
}

/** Saves what the guide says to save, and places the SDK as `npm install @a2a-js/sdk@0.3.14` would. */
export function saveQuickstart(folder: string): void {
  mkdirSync(join(folder, "node_modules", "@a2a-js"), { recursive: true });
  for (const { before, text } of quickstartBlocks) {
    const file = /Save this as `([\w.]+)`/.exec(before)?.[1];
    if (file !== undefined) writeFileSync(join(folder, file), text);
  }
  symlinkSync(join(root, "node_modules", "a2a-sdk-0.3"), join(folder, "node_modules", "@a2a-js", "sdk"));
}

/** Runs a command of the guide in a shell that has what a newcomer exported, and this Node; gives what it printed. */
export function runInShell(
  command: string,
  { folder, given }: { readonly folder: string; readonly given: Readonly<Record<string, string>> },
): Promise<string> {
  const env = {
    ...given,
    NODE_ENV: "test" as const,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: process.env.HOME,
  };
  return new Promise((resolve, reject) => {
    execFile("bash", ["-c", command], { cwd: folder, env, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command}\n${stdout}\n${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });
}
