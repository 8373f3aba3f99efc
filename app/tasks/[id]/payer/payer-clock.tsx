import { linesOfBusiness } from "#lib/messages/labels/lines-of-business";
import { Badge } from "#components/list/badge";
import { Facts } from "#components/list/facts";
import { Section } from "#components/list/section";
import { spanOf, Time } from "#components/text/time";
import { type DecisionTime } from "#lib/task/model/decision-times";
import type { CaseClock } from "#lib/task/case-clock";

type Props = { readonly clock: CaseClock };

const sources = {
  payer: "according to the payer",
  person: "as recorded with the manual submission",
  service: "when the service learned of it",
} as const satisfies Record<CaseClock["startedBy"], string>;

/** How long the payer may take by law, and where that is written. */
export function PayerClock({ clock }: Props) {
  const { startedAt, startedBy, urgentAt, stoppedAt, legal } = clock;
  return (
    <Section title="Payer decision due" aside={legal.known ? undefined : "Not configured"}>
      <Facts
        list={[
          {
            name: "Received",
            value: (
              <>
                <Time at={startedAt} />, {sources[startedBy]}
              </>
            ),
          },
          urgentAt && { name: "Urgent since", value: <Time at={urgentAt} /> },
          legal.known ? { name: "Due", value: <Due clock={clock} legal={legal} /> } : undefined,
          stoppedAt && { name: "Stopped", value: <Time at={stoppedAt} /> },
          legal.known ? { name: "Rule", value: ruleText(legal.rule) } : undefined,
          legal.known ? { name: "Source", value: legal.rule.source } : undefined,
          legal.known && legal.rule.note !== undefined ? { name: "Note", value: legal.rule.note } : undefined,
        ]}
      />
      {!legal.known && (
        <p className="mt-2 text-ink-soft">
          An admin can set the payer&apos;s line of business on the practice&apos;s page.
        </p>
      )}
    </Section>
  );
}

type KnownDeadline = Extract<CaseClock["legal"], { known: true }>;

function Due({ clock, legal }: Props & { readonly legal: KnownDeadline }) {
  const { stoppedAt, undecided } = clock;
  const { dueAt, overdue, remainingMs } = legal;
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <Time at={dueAt} />
      {stoppedAt === undefined && !overdue && <span className="text-ink-faint">in {spanOf(remainingMs)}</span>}
      {stoppedAt === undefined && overdue && <Badge tone="bad">Overdue {spanOf(remainingMs)}</Badge>}
      {undecided && <span className="text-ink-faint">Voided before a decision</span>}
      {stoppedAt !== undefined && !undecided && overdue && <Badge tone="warn">Decided late</Badge>}
      {stoppedAt !== undefined && !undecided && !overdue && <span className="text-ink-faint">Met</span>}
    </span>
  );
}

function ruleText({ within, urgency, lineOfBusiness }: DecisionTime): string {
  const time = "hours" in within ? `${within.hours} hours` : `${within.calendarDays} calendar days`;
  return `${time} for ${urgency === "expedited" ? "an expedited" : "a standard"} request, ${linesOfBusiness[lineOfBusiness]}`;
}
