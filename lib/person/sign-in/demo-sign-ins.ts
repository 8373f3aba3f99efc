import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { env } from "#lib/platform/env";

const account = z.object({ email: z.string(), password: z.string() });
const demoFile = z.object({ reviewer: account, admin: account });

export type DemoSignIn = z.infer<typeof account> & { readonly role: "Reviewer" | "Admin" };

/**
 * The accounts of the demo with their passwords, which each installation makes for itself. None unless this is the demo,
 * which holds synthetic data alone and never listens beyond this machine.
 */
export async function demoSignIns(): Promise<readonly DemoSignIn[]> {
  const { DEMO, DATA_DIR } = env();
  if (DEMO !== "1" || DATA_DIR === undefined) return [];
  const text = await readFile(join(DATA_DIR, "demo.json"), "utf8").catch(() => "null");
  const read = demoFile.safeParse(JSON.parse(text));
  if (!read.success) return [];
  const { reviewer, admin } = read.data;
  return [
    { role: "Reviewer", ...reviewer },
    { role: "Admin", ...admin },
  ];
}
