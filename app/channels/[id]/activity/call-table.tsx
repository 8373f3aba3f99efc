import { Panel } from "#components/list/panel";
import { Cell, Row, Table } from "#components/list/table";
import { callDays, type HourCount } from "#lib/channel/channel-calls";
import { dayText, sumOf } from "../hours.ts";

/** Calls by day, in UTC as they are counted; the day of which only a part is counted is left out. */
export function CallTable({ hours }: { readonly hours: readonly HourCount[] }) {
  const days = [...Map.groupBy(hours, ({ hour }) => hour.toISOString().slice(0, 10)).values()]
    .toReversed()
    .slice(0, callDays);
  return (
    <Panel title={`Calls by day`} aside={`Last ${callDays} days, UTC`} flush>
      <Table
        caption="Calls and denied calls by day"
        columns={["Day", { name: "Calls", align: "end" }, { name: "Denied", align: "end" }]}
      >
        {days.map((list) => (
          <Row key={list[0]?.hour.toISOString()}>
            <Cell>{dayText(list[0])}</Cell>
            <Cell label="Calls" align="end">
              {sumOf(list, "calls").toLocaleString("en-US")}
            </Cell>
            <Cell label="Denied" align="end">
              {sumOf(list, "denied").toLocaleString("en-US")}
            </Cell>
          </Row>
        ))}
      </Table>
    </Panel>
  );
}
