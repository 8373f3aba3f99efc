import { stdin, stderr } from "node:process";

const secretBytesMax = 20_000;

/**
 * Reads one secret from standard input, without the final line break. At a terminal it prompts and does not show what is
 * typed; from a pipe it reads to the end.
 */
export async function readSecret(asking: string): Promise<string> {
  return stdin.isTTY ? readTyped(asking) : readPiped();
}

async function readPiped(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > secretBytesMax) break;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/\r?\n$/, "");
}

async function readTyped(asking: string): Promise<string> {
  stderr.write(`${asking}: `);
  stdin.setRawMode(true);
  stdin.setEncoding("utf8");
  let typed = "";
  try {
    for await (const chunk of stdin) {
      for (const character of String(chunk)) {
        if (character === "\r" || character === "\n") return typed;
        if (character === "\u0003" || character === "\u0004") process.exit(130);
        typed = character === "\u007f" || character === "\b" ? typed.slice(0, -1) : typed + character;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode(false);
    stderr.write("\n");
  }
}
