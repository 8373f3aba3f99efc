import Link from "next/link";
import { LineChart } from "#components/list/line-chart";
import { Section } from "#components/list/section";
import { Cell, Row, Table } from "#components/list/table";
import { Time } from "#components/text/time";
import { callDays, type DenialRecord, type HourCount } from "#lib/channel/channel-calls";
import { denialReasons, permissionLabels } from "#lib/messages/admin/channel";

type Props = { readonly hours: readonly HourCount[]; readonly denials: readonly DenialRecord[] };

/** Calls and denials over time, and the newest denials with the reason their caller was not told. */
export function ChannelCalls({ hours, denials }: Props) {
  return (
    <>
      <Section title="Calls" anchor="calls" aside={`the last ${callDays} days`}>
        {sumOf(hours, "calls") + sumOf(hours, "denied") === 0 ? (
          <p className="text-ink-soft">It has not called.</p>
        ) : (
          <Chart hours={hours} />
        )}
      </Section>
      <Section title="Denied calls" anchor="denied" aside="the newest first">
        {denials.length === 0 ? (
          <p className="text-ink-soft">None of its calls was denied.</p>
        ) : (
          <>
            <p className="mb-3 text-ink-soft">
              The true reason. The caller of each was told only that it is not authorised, or to wait.
            </p>
            <Table caption="Denied calls, the newest first" columns={["When", "Why", "Asked", "Practice", "From"]}>
              {denials.map((denial) => (
                <DenialRow key={denial.id} of={denial} />
              ))}
            </Table>
          </>
        )}
      </Section>
    </>
  );
}

function Chart({ hours }: Pick<Props, "hours">) {
  return (
    <>
      <p className="mb-3 text-ink-soft">
        {count(sumOf(hours, "calls"), "call")} let in, {count(sumOf(hours, "denied"), "denial")}.
      </p>
      <LineChart
        label={`Line chart of calls and denials in every six hours of the last ${callDays} days.`}
        series={[
          { name: "Calls", values: bySpan(hours, ({ calls }) => calls) },
          { name: "Denials", values: bySpan(hours, ({ denied }) => denied), dashed: true },
        ]}
        from={dayOf(hours[0])}
        to={dayOf(hours.at(-1))}
        words={(value) => count(value, "call")}
      />
      <DayTable hours={hours} />
    </>
  );
}

function sumOf(hours: readonly HourCount[], of: "calls" | "denied"): number {
  return hours.reduce((total, hour) => total + hour[of], 0);
}

function DenialRow({ of: { at, rule, atom, practiceId, keyId, address } }: { readonly of: DenialRecord }) {
  return (
    <Row>
      <Cell>
        <Time at={at} as="full" />
      </Cell>
      <Cell label="Why">{denialReasons[rule]}</Cell>
      <Cell label="Asked">{atom && permissionLabels[atom].text}</Cell>
      <Cell label="Practice">
        {practiceId !== undefined && (
          <Link href={`/practices/${encodeURIComponent(practiceId)}`} prefetch={false} className="underline">
            {practiceId}
          </Link>
        )}
      </Cell>
      <Cell label="From">
        {address !== undefined && <span className="block font-mono text-sm">{address}</span>}
        {keyId !== undefined && <span className="block font-mono text-sm text-ink-faint">pa_{keyId}_…</span>}
      </Cell>
    </Row>
  );
}

function DayTable({ hours }: Pick<Props, "hours">) {
  const days = [...Map.groupBy(hours, ({ hour }) => hour.toISOString().slice(0, 10))];
  return (
    <details>
      <summary className="text-ink-soft">The figures, by day (UTC)</summary>
      <div className="mt-2 max-w-md">
        <Table caption="Calls and denials by day" columns={["Day", "Calls", "Denials"]}>
          {days.map(([day, list]) => (
            <Row key={day}>
              <Cell>{day}</Cell>
              <Cell label="Calls">{list.reduce((total, { calls }) => total + calls, 0)}</Cell>
              <Cell label="Denials">{list.reduce((total, { denied }) => total + denied, 0)}</Cell>
            </Row>
          ))}
        </Table>
      </div>
    </details>
  );
}

/** Six hours at a time: more points would hide each other. */
function bySpan(hours: readonly HourCount[], of: (hour: HourCount) => number): readonly number[] {
  return [...Map.groupBy(hours.keys(), (index) => Math.floor(index / 6)).values()].map((indexes) =>
    indexes.reduce((total, index) => total + (hours[index] ? of(hours[index]) : 0), 0),
  );
}

function dayOf(hour: HourCount | undefined): string {
  return hour?.hour.toISOString().slice(0, 10) ?? "";
}

function count(value: number, word: string): string {
  return `${value.toLocaleString("en")} ${word}${value === 1 ? "" : "s"}`;
}
