import Link from "next/link";
import { LineChart } from "#components/list/line-chart";
import { Panel } from "#components/list/panel";
import { callDays, type HourCount } from "#lib/channel/channel-calls";
import { channelPath } from "./paths.ts";
import { bySpan, dayText, sumOf } from "./hours.ts";

/** How the agent called lately: one line for what was allowed, one for what was denied. */
export function CallsPanel({ channelId, hours }: { readonly channelId: string; readonly hours: readonly HourCount[] }) {
  const [calls, denied] = [sumOf(hours, "calls"), sumOf(hours, "denied")];
  return (
    <Panel
      title={`Calls, last ${callDays} days`}
      aside={calls + denied > 0 && `${callsText(calls)}, ${denied.toLocaleString("en-US")} denied`}
      actions={
        <Link
          href={channelPath(channelId, "activity")}
          prefetch={false}
          className="inline-flex items-center text-sm underline hover:no-underline pointer-coarse:min-h-11"
        >
          View activity
        </Link>
      }
    >
      {calls + denied === 0 ? (
        <p className="text-ink-soft">No calls yet. They appear here within seconds of the first one.</p>
      ) : (
        <LineChart
          label={`Line chart of calls and denied calls in every six hours of the last ${callDays} days.`}
          series={[
            { name: "Calls", values: bySpan(hours, ({ calls: each }) => each) },
            { name: "Denied", values: bySpan(hours, ({ denied: each }) => each), dashed: true },
          ]}
          from={dayText(hours[0])}
          to={dayText(hours.at(-1))}
          textOf={callsText}
        />
      )}
    </Panel>
  );
}

const callsText = (count: number) => (count === 1 ? "1 call" : `${count.toLocaleString("en-US")} calls`);
