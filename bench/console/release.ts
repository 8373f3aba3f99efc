import type { Page } from "@playwright/test";
import { addressOf } from "#lib/queue/queue-address";
import { timeLine, type Line } from "./lines.ts";
import { casesOn, signedIn, type Bench } from "./pages.ts";
import { undisturbed, watchHost, type Reading } from "./undisturbed.ts";

const warm = 3;
const limitMs = 150;

/** From the click on Release to the word of the server on the page. */
export async function releaseLines(bench: Bench): Promise<readonly Line[]> {
  const page = await signedIn(bench, bench.desk.one);
  const held = addressOf({ filters: { state: "transmit-held" } });
  const addresses = await casesOn(page, held, 4 * (warm + bench.times));
  const plan = { warm, times: bench.times, most: addresses.length };
  const got = await undisturbed(plan, async (n) => {
    const address = addresses[n];
    return address === undefined ? undefined : releaseOf(page, address);
  });
  await page.close();
  if (got.ms.length === 0) throw new Error("No case was there that could be released.");
  return [timeLine("release: click to the server's word", got, limitMs)];
}

/** How long a release may go unanswered; one that does counts as taking as long. */
const answerMsMax = 10_000;

/** Undefined where a check blocks the release. */
async function releaseOf(page: Page, address: string): Promise<Reading | undefined> {
  await page.goto(address, { waitUntil: "networkidle" });
  const release = page.getByRole("button", { name: "Release", exact: true });
  if ((await release.count()) === 0 || (await release.isDisabled())) return undefined;
  const why = page.getByLabel(/^Why you release/);
  if ((await why.count()) > 0) await why.fill("Measured.");
  const took = page.evaluate(
    (msMax) =>
      new Promise<number>((resolve) => {
        let clicked = 0;
        setTimeout(() => resolve(msMax), msMax);
        addEventListener("click", () => (clicked = performance.now()), { capture: true, once: true });
        const seen = new MutationObserver(() => {
          const recall = [...document.querySelectorAll("button")].some(({ textContent }) =>
            textContent?.startsWith("Undo"),
          );
          if (clicked > 0 && recall) resolve(performance.now() - clicked);
        });
        seen.observe(document.body, { childList: true, subtree: true, characterData: true });
      }),
    answerMsMax,
  );
  const isDisturbed = watchHost();
  await release.click();
  return { ms: await took, disturbed: isDisturbed() };
}
