import { globSync, readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { basename } from "node:path";

/** What is done for somebody or over a store: an exported function of these folders whose first parameter says so. */
const folders = [
  ...[
    "access",
    "audit",
    "change-request",
    "channel",
    "gate",
    "person",
    "practice",
    "queue",
    "report",
    "submission",
    "task",
  ].map((room) => `lib/${room}`),
  ...["session", "sign-in", "second-factor", "sso"].map((part) => `lib/person/${part}`),
  ...["lib/practice/directory", "lib/practice/draft", "lib/practice/import", "lib/payer/inbox", "lib/channel/webhook"],
];
const verb =
  /^export (?:async )?function (\w+)(?:<[^>]*>)?\(\s*(?:\{[^}]*\}|\w+): ((?:Context|Self|Store|Asking|Opening)\b(?:<[^>]*>)?)/gm;

/** The verbs of one folder, by their names, each with what its first parameter is. */
export function verbsOf(folder: string): readonly (readonly [name: string, first: string])[] {
  return globSync(`${folder}/*.ts`, { exclude: ["**/*.test.ts"] }).flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(verb)].map(([, name = "", first = ""]) => [name, first] as const),
  );
}

/** Every verb there is, by its name. */
export const verbs: readonly string[] = folders.flatMap((folder) => verbsOf(folder).map(([name]) => name)).sort();

/** Hears from V8 which functions are called; only what those folders hold. */
export async function listenForCalls() {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const isOurs = (url: string) => folders.some((folder) => url.includes(`/${folder}/${basename(url)}`));
  return {
    /** What was called since the last time this was asked. */
    called: async (): Promise<ReadonlySet<string>> => {
      const { result } = await session.post("Profiler.takePreciseCoverage");
      const functions = result.filter(({ url }) => isOurs(url)).flatMap((script) => script.functions);
      const hit = functions.filter(({ ranges: [whole] }) => (whole?.count ?? 0) > 0);
      return new Set(hit.map(({ functionName }) => functionName));
    },
    close: async () => {
      await session.post("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
}
