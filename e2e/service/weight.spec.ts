import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { expect, fullIntake, openCase, release, signIn, test } from "../fixtures/journey.ts";

const built = join(import.meta.dirname, "..", "..", ".next");

/** The scripts every page of this Next version loads, an empty one too; it names them in its build manifest. */
function ofNextItself(): ReadonlySet<string> {
  const manifest: unknown = JSON.parse(readFileSync(join(built, "build-manifest.json"), "utf8"));
  // Safe because this is how Next writes it; a change shows as pages that weigh more.
  const { rootMainFiles, polyfillFiles } = manifest as { rootMainFiles: string[]; polyfillFiles: string[] };
  return new Set([...rootMainFiles, ...polyfillFiles]);
}

/** How much JavaScript a page asks for above an empty page, in bytes, by `gzip -9`. */
async function addedBytes(page: Page): Promise<number> {
  const sources = await page
    .locator("script[src]")
    .evaluateAll((scripts) =>
      scripts.map((script) => new URL(script.getAttribute("src") ?? "", location.href).pathname),
    );
  const files = new Set(sources.map((source) => source.replace(/^\/_next\//, "")));
  const empty = ofNextItself();
  const added = [...files].filter((file) => !empty.has(file));
  return added.reduce((sum, file) => sum + gzipSync(readFileSync(join(built, file)), { level: 9 }).length, 0);
}

test("the queue adds at most 90 kB of JavaScript to an empty page, and sign-in at most 10 kB", async ({
  page,
  practice,
}, info) => {
  await page.goto("/sign-in");
  const signInBytes = await addedBytes(page);
  await signIn(page, practice.reviewer);
  await page.goto("/queue");
  const queueBytes = await addedBytes(page);
  info.annotations.push({ type: "weight", description: `queue ${queueBytes} B, sign-in ${signInBytes} B` });
  expect(queueBytes).toBeLessThanOrEqual(90_000);
  expect(signInBytes).toBeLessThanOrEqual(10_000);
});

test("a decision leaves the colour scheme's word in its place, so that no browser styles all of the page again", async ({
  page,
  practice,
}) => {
  const sent = await practice.agent.send(fullIntake(practice));
  await signIn(page, practice.reviewer);
  await openCase(page, sent.id);
  const scheme = page.locator("head meta[name=color-scheme]");
  await expect(scheme).toHaveAttribute("content", "light dark");
  const before = await scheme.elementHandle();
  await release(page);
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  expect(await before?.evaluate((element) => element.isConnected)).toBe(true);
});
