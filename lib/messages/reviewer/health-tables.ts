import { connectorText } from "#lib/messages/connector-text";
import { declineReasons } from "#lib/task/model/decline-code";
import type { DeskHealth } from "#lib/queue/desk-health";

/** The kind of a column: text, a count, a share between 0 and 1, or a duration in seconds. */
export type ColumnKind = "text" | "count" | "share" | "span";
export type Column = { readonly name: string; readonly kind: ColumnKind };
/** A value; null when there is none, such as the median of no cases. */
export type Value = string | number | null;

export type HealthTable = {
  readonly id: TableId;
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
};

const text = (name: string): Column => ({ name, kind: "text" });
const count = (name: string): Column => ({ name, kind: "count" });
const share = (name: string): Column => ({ name, kind: "share" });
const span = (name: string): Column => ({ name, kind: "span" });

export const ageTexts = ["Under 1 h", "1 to 4 h", "4 to 24 h", "1 to 3 days", "3 to 7 days", "Over 7 days"];

/** Each table of the health page, for the page and for the CSV export. */
const tables = {
  waiting: (health) => ({
    title: "Waiting now",
    columns: [text("Practice"), count("Waiting"), span("Median age"), span("90th percentile"), span("Oldest")],
    rows: health.waiting
      .filter(({ practice_id }) => practice_id !== null)
      .map(({ name, waiting, p50_s, p90_s, oldest_s }) => [name, waiting, p50_s, p90_s, oldest_s]),
  }),
  ages: (health) => ({
    title: "Waiting now, by age",
    columns: [text("Age"), count("Waiting")],
    rows: ageTexts.map((age, index) => [age, allWaiting(health)?.ages[index] ?? 0]),
  }),
  periods: (health) => ({
    title: health.periodDays === 1 ? "Day by day" : "Week by week",
    columns: [
      text("From"),
      count("Opened"),
      count("Decided"),
      count("Expired"),
      count("Waiting at the end"),
      span("Median to decision"),
      span("90th percentile"),
    ],
    rows: periodsOf(health),
  }),
  channels: (health) => ({
    title: "Answers by channel",
    columns: [
      text("Channel"),
      count("Released"),
      count("Declined"),
      count("Information requested"),
      count("Expired"),
      share("Declined share"),
      share("Information requested share"),
      share("Expired share"),
    ],
    rows: health.channels.map(({ name, released, declined, sent_back, expired }) => {
      const all = released + declined + sent_back + expired;
      return [name, released, declined, sent_back, expired, ...[declined, sent_back, expired].map((n) => part(n, all))];
    }),
  }),
  reasons: (health) => ({
    title: "Reasons for declines and information requests",
    columns: [text("Channel"), text("Answer"), text("Reason"), count("Cases"), share("Share of answers")],
    rows: health.reasons.map(({ channel_id, name, status, reason, cases }) => [
      ...[name, status === "declined" ? "Declined" : "Information requested", reasonText(status, reason), cases],
      part(cases, answersOf(health, channel_id)),
    ]),
  }),
  reviewers: (health) => ({
    title: "Reviewers",
    columns: [
      text("Reviewer"),
      count("Assigned now"),
      count("Released"),
      count("Declined"),
      count("Information requested"),
      span("Median to answer"),
      span("90th percentile"),
      count("Under 4 s"),
      share("Under 4 s share"),
    ],
    rows: health.reviewers.map((row) => [
      ...[row.name, row.assigned, row.released, row.declined, row.sent_back, row.p50_s, row.p90_s, row.quick],
      part(row.quick, row.seen),
    ]),
  }),
  payers: (health) => ({
    title: "Payer decision times",
    columns: [
      text("Payer"),
      count("Decided"),
      span("Median"),
      span("90th percentile"),
      count("With a legal deadline"),
      count("Late"),
      share("Late share"),
      count("With payer now"),
      count("Overdue now"),
    ],
    rows: health.payers.map((row) => [
      ...[row.name ?? row.payer_id, row.decided, row.p50_s, row.p90_s, row.clocked, row.late],
      ...[part(row.late, row.clocked), row.waiting, row.overdue],
    ]),
  }),
  transmissions: (health) => ({
    title: "Submissions",
    columns: [
      text("Payer"),
      text("Connection type"),
      count("Released"),
      count("Received"),
      count("Refused"),
      count("Never arrived"),
      count("Unknown"),
      count("Retried"),
      share("Failed share"),
    ],
    rows: health.transmissions.map((row) => {
      const failed = row.refused + row.not_received + row.unconfirmed;
      return [
        ...[row.name ?? row.payer_id, connectorText(row.connector), row.released, row.received, row.refused],
        ...[row.not_received, row.unconfirmed, row.retried, part(failed, row.received + failed)],
      ];
    }),
  }),
} as const satisfies Record<string, (health: DeskHealth) => Omit<HealthTable, "id">>;

export type TableId = keyof typeof tables;

export function isTableId(id: string): id is TableId {
  return Object.hasOwn(tables, id);
}

export function healthTable(id: TableId, health: DeskHealth): HealthTable {
  return { id, ...tables[id](health) };
}

/** All practices together. */
export function allWaiting({ waiting }: DeskHealth): DeskHealth["waiting"][number] | undefined {
  return waiting.find(({ practice_id }) => practice_id === null);
}

/** All periods together. */
export function wholeWindow({ periods }: DeskHealth): DeskHealth["periods"][number] | undefined {
  return periods.find(({ back }) => back === null);
}

/** The share of the whole; null when the whole is 0. */
export function part(some: number, all: number): number | null {
  return all === 0 ? null : some / all;
}

function answersOf({ channels }: DeskHealth, channelId: string): number {
  const own = channels.find(({ channel_id }) => channel_id === channelId);
  return own ? own.released + own.declined + own.sent_back + own.expired : 0;
}

/** The text of a decline code, or of what a request for information was about. */
export function reasonText(status: "declined" | "sent-back", reason: string): string {
  if (status === "sent-back") return reason === "" ? "A question" : `Question about ${pointerText(reason)}`;
  const known: Readonly<Record<string, string | undefined>> = declineReasons;
  return known[reason]?.replace(/\.$/, "") ?? "Free text";
}

function pointerText(pointer: string): string {
  return pointer.slice(1).replaceAll("/", " ").replace(/[A-Z]/g, " $&").toLowerCase();
}

/** Oldest first. The number waiting at the end of a period is counted back from now, by the cases that came and went since. */
function periodsOf(health: DeskHealth): readonly (readonly Value[])[] {
  const { periods, opened, window, periodDays, today } = health;
  const goneBy = new Map(periods.map((row) => [row.back, row]));
  const openedBy = new Map(opened.map((row) => [row.back, row.opened]));
  let waiting = allWaiting(health)?.waiting ?? 0;
  const rows: Value[][] = [];
  for (let back = 0; back < Math.ceil(Number(window) / periodDays); back += 1) {
    const period = goneBy.get(back);
    const came = openedBy.get(back) ?? 0;
    const from = dayBefore(today, Math.min((back + 1) * periodDays, Number(window)) - 1);
    const { decided = 0, expired = 0, gone = 0, p50_s = null, p90_s = null } = period ?? {};
    rows.push([from, came, decided, expired, waiting, p50_s, p90_s]);
    waiting += gone - came;
  }
  return rows.toReversed();
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}
