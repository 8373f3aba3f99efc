import type { Page } from "@playwright/test";
import { addressOf } from "#lib/tasks/queue-address";
import { timeLine, type Line } from "./lines.ts";
import { casesOn, signedIn, type Bench } from "./pages.ts";

const warm = 3;
const times = 20;
const limitMs = 150;

/** From the click on Release to the word of the server on the page. */
export async function releaseLines(bench: Bench): Promise<readonly Line[]> {
  const page = await signedIn(bench, bench.desk.one);
  const held = addressOf({ filters: { state: "transmit-held", payer: "62308" } });
  const got: number[] = [];
  for (const address of await casesOn(page, held, 2 * (warm + times))) {
    if (got.length === warm + times) break;
    const took = await releaseMs(page, address);
    if (took !== undefined) got.push(took);
  }
  await page.close();
  return [timeLine("release: click to the server's word", got.slice(warm), limitMs)];
}

/** Undefined where a check blocks the release. */
async function releaseMs(page: Page, address: string): Promise<number | undefined> {
  await page.goto(address, { waitUntil: "networkidle" });
  const release = page.getByRole("button", { name: "Release", exact: true });
  if ((await release.count()) === 0 || (await release.isDisabled())) return undefined;
  const took = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let clicked = 0;
        addEventListener("click", () => (clicked = performance.now()), { capture: true, once: true });
        const seen = new MutationObserver(() => {
          const recall = [...document.querySelectorAll("button")].some(({ textContent }) => textContent === "Recall");
          if (clicked > 0 && recall) resolve(performance.now() - clicked);
        });
        seen.observe(document.body, { childList: true, subtree: true, characterData: true });
      }),
  );
  await release.click();
  return took;
}
