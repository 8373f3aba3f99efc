import type { Page } from "@playwright/test";
import { addressOf } from "#lib/queue/queue-address";
import { payers } from "./desk.ts";
import { timeLine, type Line } from "./lines.ts";
import { casesOn, signedIn, type Bench } from "./pages.ts";
import { undisturbed, watchHost, type Reading } from "./undisturbed.ts";

const warm = 3;
const limitMs = 300;

/** From the click on Release to the next case, which can be read then, with the undo of the one before. */
export async function releaseLines(bench: Bench): Promise<readonly Line[]> {
  const page = await signedIn(bench, bench.desk.one);
  // One that is submitted manually stays where it is.
  const held = addressOf({ filters: { state: "transmit-held", payer: payers[0]?.id } });
  const addresses = await casesOn(page, held, 4 * (warm + bench.times));
  const plan = { warm, times: bench.times, most: addresses.length };
  const got = await undisturbed(plan, async (n) => {
    const address = addresses[n];
    return address === undefined ? undefined : releaseOf(page, address);
  });
  await page.close();
  if (got.ms.length === 0) throw new Error("No case was there that could be released.");
  return [timeLine("release: click to the next case", got, limitMs)];
}

/** How long a release may go unanswered; one that does counts as taking as long. */
const answerMsMax = 10_000;

/** Undefined where a check blocks the release. */
async function releaseOf(page: Page, address: string): Promise<Reading | undefined> {
  await page.goto(address, { waitUntil: "networkidle" });
  const release = page.locator("#decision").getByRole("button", { name: /^Release / });
  if ((await release.count()) === 0 || (await release.getAttribute("aria-disabled")) !== null) return undefined;
  const why = page.getByLabel(/^Override reason/);
  if ((await why.count()) > 0) await why.fill("Measured.");
  const took = page.evaluate(
    (msMax) =>
      new Promise<number>((resolve) => {
        let clicked = 0;
        setTimeout(() => resolve(msMax), msMax);
        addEventListener("click", () => (clicked = performance.now()), { capture: true, once: true });
        const from = location.pathname;
        const seen = new MutationObserver(() => {
          const isNext = location.pathname !== from && document.querySelector("[data-undo]") !== null;
          if (clicked > 0 && isNext) resolve(performance.now() - clicked);
        });
        seen.observe(document.body, { childList: true, subtree: true, characterData: true });
      }),
    answerMsMax,
  );
  const isDisturbed = watchHost();
  await release.click();
  return { ms: await took, disturbed: isDisturbed() };
}
