import { queueSorts, queueViews } from "#lib/queue/model/queue";
import { addressOf } from "#lib/queue/queue-address";
import { rangeDays } from "#lib/report/model/range";
import { reportIds } from "#lib/report/model/reports";
import { casesOn, signedIn, type Bench } from "./pages.ts";

/**
 * Asks for every page of the console once, and every way to narrow it, for one practice and for all; cases are opened
 * in the browser, for what their pages ask by themselves.
 */
export async function visitAll(bench: Bench): Promise<void> {
  for (const reviewer of [bench.desk.one, bench.desk.all]) {
    const page = await signedIn(bench, reviewer);
    for (const address of queueAddresses(bench.desk.channelId)) {
      const answer = await page.request.get(address);
      const next = /rel="next"[^>]*href="([^"]+)"/.exec(await answer.text())?.[1];
      if (next !== undefined) await page.request.get(next.replaceAll("&amp;", "&"));
    }
    for (const text of ["REF-41", "BM0000041", "BMFREQUENT", "0a1b2c3d"]) {
      await page.goto("/queue");
      await page.getByRole("searchbox").fill(text);
      await page.getByRole("searchbox").press("Enter");
      await page.waitForURL(/[?&](?:search|q)=/);
    }
    for (const report of reportIds)
      for (const days of rangeDays) await page.request.get(`/reports/${report}?days=${days}`);
    for (const view of ["all", "at-payer", "decided"] as const) {
      for (const address of await casesOn(page, addressOf({ view }), 1)) await page.goto(address);
    }
    await page.close();
  }
}

function queueAddresses(channel: string): readonly string[] {
  const narrowed = [
    {},
    { payer: "62308", code: "E0170", age: "7-" },
    { code: "E0999" },
    { state: "declined", channel },
  ] as const;
  return queueViews.flatMap((view) =>
    queueSorts.flatMap((sort) => narrowed.map((filters) => addressOf({ view, sort, filters }))),
  );
}
