import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../../scripts/setup/files.mjs";

/** Files of `lib` in which a function ran while this was done, by V8's precise coverage. */
export async function filesPassed(act: () => Promise<void>): Promise<readonly string[]> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await act();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  const hit = result.filter(({ functions }) => functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0));
  const paths = hit
    .filter(({ url }) => url.startsWith("file:"))
    .map(({ url }) => relative(root, fileURLToPath(url)))
    .filter((path) => path.startsWith("lib/") && !path.startsWith("lib/db/generated/"));
  return [...new Set(paths)].toSorted();
}

/** How many lines these files have in all. */
export function linesOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + readFileSync(join(root, path), "utf8").split("\n").length - 1, 0);
}

/** The files by folder, as docs/tour.md lists them: `gate/model`: check, checks. */
export function byFolder(paths: readonly string[]): string {
  const folders = Map.groupBy(paths, (path) => path.slice("lib/".length, path.lastIndexOf("/")));
  const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1, -".ts".length);
  return [...folders].map(([folder, files]) => `\`${folder}\`: ${files.map(nameOf).join(", ")}`).join("\n");
}
