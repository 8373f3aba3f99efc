import { execFile } from "node:child_process";
import type { TestDatabase } from "../database/clone.ts";

export type Ran = { readonly code: number; readonly out: string; readonly err: string };
export type Pa = (args: readonly string[], input?: string, env?: Readonly<Record<string, string>>) => Promise<Ran>;

export const sealingKey = Buffer.alloc(32, 7);
export const receiptKey = Buffer.alloc(32, 9);
export const keyPepper = Buffer.alloc(32, 11);

/** The operator's command line over a database, each call a process of its own with `input` on standard input. */
export function commandLine({ appUrl }: Pick<TestDatabase, "appUrl">): Pa {
  const own = {
    APP_DATABASE_URL: appUrl,
    SEALING_KEY: sealingKey.toString("base64"),
    RECEIPT_SIGNING_KEY: receiptKey.toString("base64"),
    CHANNEL_KEY_PEPPER: keyPepper.toString("base64"),
    NODE_ENV: "production",
    OUTBOUND_PRIVATE_NETWORKS: "127.0.0.0/8,::1/128",
  } as const;
  return (args, input = "", env = {}) =>
    new Promise((resolve) => {
      const { PATH, NODE_COMPILE_CACHE } = process.env;
      const settings = { env: { ...own, PATH, NODE_COMPILE_CACHE, ...env } };
      const child = execFile(process.execPath, ["lib/cli/main.ts", ...args], settings, (error, out, err) => {
        resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err });
      });
      child.stdin?.end(input);
    });
}

/** The one value of `--json`, where anything else on either output fails the test. */
export async function jsonOf(pa: Pa, args: readonly string[], input?: string): Promise<unknown> {
  const { code, out, err } = await pa([...args, "--json"], input);
  if (code !== 0 || err !== "") throw new Error(`pa ${args.join(" ")} ended with ${code}: ${err}`);
  return JSON.parse(out);
}
