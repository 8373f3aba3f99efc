import { Section } from "#components/list/section";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { atRiskTexts, failedText } from "#lib/messages/home";
import { atRiskViews, whatIsAtRisk } from "#lib/queue/at-risk";
import { addressOf } from "#lib/queue/queue-address";
import { FigureList } from "./figure-list.tsx";

/** What is at risk in the practices the reader reviews for; nothing for a reader who reviews for none. */
export async function AtRisk({ ctx }: { readonly ctx: Context<PersonActor> }) {
  const found = await whatIsAtRisk(ctx);
  if (!found) return null;
  const { counts, failed } = found;
  return (
    <>
      <FigureList
        title="At risk today"
        list={atRiskViews.map((view) => ({ ...atRiskTexts[view], count: counts[view], href: addressOf({ view }) }))}
      />
      {failed.length > 0 ? (
        <FigureList
          title="Failed submissions, last 7 days"
          list={failed.map(({ payerId, payerName, count }) => ({
            count,
            name: payerName ?? payerId,
            note: failedText(count),
            tone: "bad",
            href: addressOf({ view: "failed", filters: { payer: payerId } }),
          }))}
        />
      ) : (
        <Section title="Failed submissions, last 7 days">
          <p className="text-ink-soft">None.</p>
        </Section>
      )}
    </>
  );
}
