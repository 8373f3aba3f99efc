import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "../../../scripts/setup/files.mjs";

/** A block of a guide: its heading, what stands before it since the block before, its language and its text. */
export type Block = {
  readonly heading: string;
  readonly before: string;
  readonly language: string;
  readonly text: string;
};

const folder = join(root, "docs", "developers");

/** The guides by the slugs of their pages. */
export const guides: readonly string[] = readdirSync(folder).map((name) => name.replace(/\.md$/, ""));

/** The blocks of a guide, in their order. */
export function blocksOf(slug: string): readonly Block[] {
  let heading = "";
  const markdown = readFileSync(join(folder, `${slug}.md`), "utf8");
  return [...markdown.matchAll(/([^]*?)\n```(\w*)\n([^]*?\n)```\n/g)].map(
    ([, before = "", language = "", text = ""]) => {
      heading = [...before.matchAll(/^## (.+)$/gm)].at(-1)?.[1] ?? heading;
      return { heading, before, language, text };
    },
  );
}

/** The file that a guide says to save this block as. */
export function savedAs({ before }: Block): string | undefined {
  return /[Ss]ave this as `([\w.-]+)`[^`]*$/.exec(before)?.[1];
}

/** Something of a guide that a reader runs, and what it then prints, where the guide says. */
export type Step = { readonly heading: string; readonly command: string; readonly prints: string | undefined };

/** Saves what the guide says to save; gives what it says to run. A Python program without a name is saved and run. */
export function layOut(blocks: readonly Block[], into: string): readonly Step[] {
  return blocks.flatMap((block, index): Step[] => {
    const { heading, language, text } = block;
    const file = savedAs(block) ?? (language === "python" ? `example-${index}.py` : undefined);
    if (file !== undefined) writeFileSync(join(into, file), text);
    const command = commandOf(block, file);
    const after = blocks[index + 1];
    return command === undefined
      ? []
      : [{ heading, command, prints: after?.language === "text" ? after.text : undefined }];
  });
}

function commandOf(block: Block, file: string | undefined): string | undefined {
  if (block.language === "bash") return block.text;
  return block.language === "python" && savedAs(block) === undefined ? `python3 ${file}` : undefined;
}

/** Lays out the quickstart, with the SDK where `npm install @a2a-js/sdk@0.3.14` would place it. */
export function layOutQuickstart(into: string): readonly Step[] {
  mkdirSync(join(into, "node_modules", "@a2a-js"), { recursive: true });
  symlinkSync(join(root, "node_modules", "a2a-sdk-0.3"), join(into, "node_modules", "@a2a-js", "sdk"));
  return layOut(blocksOf("quickstart"), into);
}

/** What is printed, where `…` stands for what differs from run to run. */
export function patternOf(text: string): RegExp {
  const literal = text.split("…").map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&"));
  return new RegExp(`^${literal.join(".+")}$`);
}

type Shell = { readonly folder: string; readonly given: Readonly<Record<string, string>> };

/** What npm asks nobody outside for, and says nothing of. */
const npmAlone = {
  npm_config_registry: "http://127.0.0.1:9/",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
};

/** Runs a command of a guide in a shell that has what a newcomer exported, and this Node; gives what it printed. */
export function runInShell(command: string, { folder: cwd, given }: Shell): Promise<string> {
  const env = {
    ...given,
    ...npmAlone,
    npm_config_cache: join(cwd, ".npm"),
    NODE_ENV: "test" as const,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: process.env.HOME,
  };
  return new Promise((resolve, reject) => {
    execFile("bash", ["-c", command], { cwd, env, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command}\n${stdout}\n${stderr}`, { cause: error }));
      else resolve(stdout);
    });
  });
}
