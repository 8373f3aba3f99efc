import { Bars } from "#components/list/bars";
import { LineChart } from "#components/list/line-chart";
import { connectorText } from "#lib/messages/connector-text";
import type { DeskHealth } from "#lib/queue/desk-health";
import { ageTexts, allWaiting, healthTable, reasonText } from "#lib/messages/reviewer/health-tables";
import { countText, shareText, spanText } from "./words.ts";

type Props = { readonly health: DeskHealth };

/** Most rows a chart draws; the table under it has them all. */
const barsMax = 12;

/** Where it waits, and how long the oldest has. */
export function Waiting({ health: { waiting } }: Props) {
  const practices = waiting.filter(({ practice_id: id }) => id !== null);
  return (
    <Bars
      label="Bar chart of how many gates wait at each practice."
      bars={practices.slice(0, barsMax).map(({ name, waiting: value, oldest_s: oldest }) => ({
        label: name ?? "",
        parts: [{ value, tone: "ink" }],
        note: oldest === null ? countText(value) : `${countText(value)}, oldest ${spanText(oldest)}`,
      }))}
    />
  );
}

export function Ages({ health }: Props) {
  const ages = allWaiting(health)?.ages ?? [];
  return (
    <Bars
      label="Bar chart of how many gates have waited how long."
      bars={ageTexts.map((label, index) => {
        const value = ages[index] ?? 0;
        return { label, parts: [{ value, tone: index > 3 ? "warn" : "ink" }], note: countText(value) };
      })}
    />
  );
}

export function WaitingOverTime({ health }: Props) {
  const { rows, days } = seriesOf(health);
  return (
    <LineChart
      label="Line chart of how many gates waited at the end of each period."
      series={[{ name: "Waiting at the end", values: rows.map((row) => Number(row[4] ?? 0)) }]}
      words={(value) => `${countText(value)} waiting`}
      {...days}
    />
  );
}

export function TimeToDecision({ health }: Props) {
  const { rows, days } = seriesOf(health);
  const spansIn = (column: number) => rows.map((row) => (typeof row[column] === "number" ? row[column] : null));
  return (
    <LineChart
      label="Line chart of the median and the 90th percentile of the time to decision."
      series={[
        { name: "Median to decision", values: spansIn(5) },
        { name: "90th percentile", values: spansIn(6), dashed: true },
      ]}
      words={spanText}
      {...days}
    />
  );
}

function seriesOf(health: DeskHealth) {
  const { rows } = healthTable("periods", health);
  return { rows, days: { from: String(rows[0]?.[0] ?? ""), to: health.today } };
}

export function Answers({ health: { channels } }: Props) {
  return (
    <Bars
      label="Bar chart of the shares released, declined, returned for information and expired, by channel."
      legend={[
        { name: "Released", tone: "ink" },
        { name: "Declined", tone: "bad" },
        { name: "Information requested", tone: "warn" },
        { name: "Expired", tone: "faint" },
      ]}
      full={1}
      bars={channels.slice(0, barsMax).map(({ name, released, declined, sent_back, expired }) => {
        const all = released + declined + sent_back + expired;
        return {
          label: name,
          parts: [
            { value: released / all, tone: "ink" },
            { value: declined / all, tone: "bad" },
            { value: sent_back / all, tone: "warn" },
            { value: expired / all, tone: "faint" },
          ],
          note: countText(all),
        };
      })}
    />
  );
}

export function Reasons({ health: { reasons } }: Props) {
  const byReason = Map.groupBy(reasons, ({ status, reason }) => reasonText(status, reason));
  const bars = [...byReason].map(([label, rows]) => ({
    label,
    value: rows.reduce((sum, { cases }) => sum + cases, 0),
    tone: rows[0]?.status === "declined" ? ("bad" as const) : ("warn" as const),
  }));
  return (
    <Bars
      label="Bar chart of the reasons for declining and the information requested, over all channels."
      legend={[
        { name: "Declined", tone: "bad" },
        { name: "Information requested", tone: "warn" },
      ]}
      bars={bars
        .toSorted((one, other) => other.value - one.value)
        .slice(0, barsMax)
        .map(({ label, value, tone }) => ({ label, parts: [{ value, tone }], note: countText(value) }))}
    />
  );
}

export function Reviewers({ health: { reviewers } }: Props) {
  return (
    <Bars
      label="Bar chart of the answers each reviewer gave."
      legend={[
        { name: "Released", tone: "ink" },
        { name: "Declined", tone: "bad" },
        { name: "Information requested", tone: "warn" },
      ]}
      bars={reviewers.slice(0, barsMax).map(({ name, released, declined, sent_back }) => ({
        label: name,
        parts: [
          { value: released, tone: "ink" },
          { value: declined, tone: "bad" },
          { value: sent_back, tone: "warn" },
        ],
        note: countText(released + declined + sent_back),
      }))}
    />
  );
}

export function Payers({ health: { payers } }: Props) {
  return (
    <Bars
      label="Bar chart of each payer's median and 90th percentile of the time to decide."
      legend={[
        { name: "Median", tone: "ink" },
        { name: "90th percentile", tone: "faint" },
      ]}
      bars={payers.slice(0, barsMax).map(({ name, payer_id, p50_s, p90_s, clocked, late }) => ({
        label: name ?? payer_id,
        parts: [
          { value: p50_s ?? 0, tone: "ink" },
          { value: (p90_s ?? 0) - (p50_s ?? 0), tone: "faint" },
        ],
        note: clocked === 0 ? "no clock known" : `${shareText(late / clocked)} late`,
      }))}
    />
  );
}

export function Transmissions({ health: { transmissions } }: Props) {
  return (
    <Bars
      label="Bar chart of what became of transmissions, by payer."
      legend={[
        { name: "Received", tone: "ink" },
        { name: "Refused", tone: "bad" },
        { name: "Never arrived or unconfirmed", tone: "warn" },
      ]}
      bars={transmissions.slice(0, barsMax).map(({ name, payer_id, connector, ...of }) => ({
        label: `${name ?? payer_id}, ${connectorText(connector)}`,
        parts: [
          { value: of.received, tone: "ink" },
          { value: of.refused, tone: "bad" },
          { value: of.not_received + of.unconfirmed, tone: "warn" },
        ],
        note: countText(of.received + of.refused + of.not_received + of.unconfirmed),
      }))}
    />
  );
}
