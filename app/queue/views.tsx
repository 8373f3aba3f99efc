import { TabLinks } from "#components/list/tab-links";
import { besideText, viewNames } from "#lib/messages/reviewer/queue";
import { queueViews, type TabView } from "#lib/queue/model/queue";
import type { QueueCounts } from "#lib/queue/list-queue";
import { addressOf } from "#lib/queue/queue-address";

type Props = { readonly current: TabView | undefined; readonly counts: QueueCounts };

/** The ways to look at the queue, each with how many cases it has; each is an address of its own. */
export function Views({ current, counts }: Props) {
  const tabs = queueViews.map((view) => ({
    href: addressOf({ view }),
    name: viewNames[view],
    count: besideText(counts[view]),
  }));
  return (
    <div className="mb-4">
      <TabLinks label="Views" tabs={tabs} current={current && addressOf({ view: current })} />
    </div>
  );
}
