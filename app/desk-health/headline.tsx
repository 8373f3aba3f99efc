import type { DeskHealth } from "#lib/queue/desk-health";
import { allWaiting, part, wholeWindow } from "#lib/messages/reviewer/health-tables";
import { countText, shareText, spanText } from "./words.ts";

/** The figures people ask for first: what is so now, then how it went. */
export function Headline({ health }: { readonly health: DeskHealth }) {
  return (
    <dl className="mb-8 grid max-w-4xl grid-cols-2 gap-x-8 gap-y-5 sm:grid-cols-4">
      {figuresOf(health).map(({ name, value, more, late }) => (
        <div key={name}>
          <dt className="text-sm text-ink-faint">{name}</dt>
          <dd className={`mt-0.5 text-xl font-semibold ${late ? "text-bad" : ""}`}>{value}</dd>
          <dd className="text-sm text-ink-soft">{more}</dd>
        </div>
      ))}
    </dl>
  );
}

type Figure = { readonly name: string; readonly value: string; readonly more: string; readonly late?: boolean };

function figuresOf(health: DeskHealth): readonly Figure[] {
  const waiting = allWaiting(health);
  const whole = wholeWindow(health);
  const all = (of: (row: DeskHealth["channels"][number]) => number) => sum(health.channels.map(of));
  const released = all((row) => row.released);
  const declined = all((row) => row.declined);
  const sentBack = all((row) => row.sent_back);
  const expired = all((row) => row.expired);
  const answers = released + declined + sentBack + expired;
  const seen = sum(health.reviewers.map((row) => row.seen));
  const quick = sum(health.reviewers.map((row) => row.quick));
  const clocked = sum(health.payers.map((row) => row.clocked));
  const late = sum(health.payers.map((row) => row.late));
  const failed = sum(health.transmissions.map((row) => row.refused + row.not_received + row.unconfirmed));
  const sent = failed + sum(health.transmissions.map((row) => row.received));
  const overdue = sum(health.payers.map((row) => row.overdue));
  return [
    { name: "Waiting now", value: countText(waiting?.waiting ?? 0), more: ofAge(waiting?.p50_s, waiting?.oldest_s) },
    { name: "Overdue at payers", value: countText(overdue), more: "past the legal day", late: overdue > 0 },
    { name: "Failed transmissions", value: shareOf(failed, sent), more: `${countText(failed)} of ${countText(sent)}` },
    { name: "Payers late", value: shareOf(late, clocked), more: `of ${countText(clocked)} with a legal clock` },
    { name: "Time to decision", value: spanOr(whole?.p50_s), more: `90th percentile ${spanOr(whole?.p90_s)}` },
    {
      name: "Declined",
      value: shareOf(declined, answers),
      more: `${shareOf(sentBack, answers)} returned for information`,
    },
    { name: "Expired", value: shareOf(expired, answers), more: `${countText(expired)} of ${countText(answers)}` },
    { name: "Released under 4 s", value: shareOf(quick, seen), more: "after first opening the case" },
  ];
}

const sum = (list: readonly number[]) => list.reduce((all, each) => all + each, 0);
const spanOr = (seconds: number | null | undefined) => (typeof seconds === "number" ? spanText(seconds) : "–");

function ofAge(median: number | null | undefined, oldest: number | null | undefined): string {
  return typeof median === "number" ? `median ${spanText(median)}, oldest ${spanOr(oldest)}` : "nothing";
}

function shareOf(some: number, whole: number): string {
  const share = part(some, whole);
  return share === null ? "–" : shareText(share);
}
