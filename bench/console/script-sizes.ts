import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "../../scripts/setup/files.mjs";
import type { Reviewer } from "./desk.ts";
import type { Line } from "./lines.ts";
import { signedIn, type Bench } from "./pages.ts";

/** The scripts a page loads beyond those every page of this Next version loads. */
export async function sizeLines(bench: Bench): Promise<readonly Line[]> {
  return [
    await sizeLine(bench, { path: "/queue", limitKb: 90, as: bench.desk.one }),
    await sizeLine(bench, { path: "/sign-in", limitKb: 10 }),
  ];
}

type SizeLimit = { readonly path: string; readonly limitKb: number; readonly as?: Reviewer };

async function sizeLine(bench: Bench, { path, limitKb, as }: SizeLimit): Promise<Line> {
  const page = as ? await signedIn(bench, as) : await bench.browser.newPage();
  const scripts = new Map<string, number>();
  page.on("response", async (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith(".js")) return;
    scripts.set(pathname, gzipSync(await response.body(), { level: 9 }).length);
  });
  await page.goto(`${bench.baseUrl}${path}`, { waitUntil: "networkidle" });
  await page.close();
  const own = [...scripts].filter(([pathname]) => !frameworkFiles().some((file) => pathname.endsWith(file)));
  const kb = own.reduce((sum, [, bytes]) => sum + bytes, 0) / 1000;
  return {
    what: `scripts of ${path}, gzip`,
    got: `${kb.toFixed(1)} kB`,
    limit: `at most ${limitKb} kB`,
    ok: kb <= limitKb,
  };
}

function frameworkFiles(): readonly string[] {
  // Safe because Next writes it so.
  const manifest = JSON.parse(readFileSync(join(root, ".next", "build-manifest.json"), "utf8")) as {
    rootMainFiles: string[];
    polyfillFiles: string[];
  };
  return [...manifest.rootMainFiles, ...manifest.polyfillFiles];
}
