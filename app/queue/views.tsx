import { ChevronDown } from "lucide";
import Link from "next/link";
import { TabCount, TabLinks, tabClass } from "#components/list/tab-links";
import { Icon } from "#components/shell/icon";
import { besideText, viewNames } from "#lib/messages/reviewer/queue";
import { mainViews, riskViews, type QueueView, type TabView } from "#lib/queue/model/queue";
import type { QueueCounts } from "#lib/queue/list-queue";
import { addressOf } from "#lib/queue/queue-address";
import { ViewMenu } from "./view-menu.tsx";

type Props = {
  /** Undefined where a search is shown, which is none of them. */
  readonly current: QueueView | undefined;
  readonly counts: QueueCounts;
};

/** The views that the menu has, in groups. */
const groups: readonly { readonly title: string; readonly views: readonly QueueView[] }[] = [
  { title: "Open requests", views: ["all", "mine", "unassigned", "urgent"] },
  { title: "Waiting for somebody else", views: ["sent-back", "payer-wants"] },
  { title: "With a date", views: ["expiring", "denied", ...riskViews] },
];

/** The ways to look at the queue, each an address of its own: four with their numbers, and the others in a menu. */
export function Views({ current, counts }: Props) {
  const isMain = mainViews.some((view) => view === current);
  const shown: readonly QueueView[] = current === undefined || isMain ? mainViews : [...mainViews, current];
  const tabs = shown.map((view) => ({
    href: addressOf({ view }),
    name: viewNames[view],
    count: countOf(view, counts),
    calls: view === "person" && counts[view] > 0,
  }));
  return (
    <div className="mb-4 flex items-stretch">
      <div className="min-w-0 flex-1 max-md:me-4">
        <TabLinks label="Views" tabs={tabs} current={current && addressOf({ view: current })} />
      </div>
      <ViewMenu key={current}>
        <summary className={`${tabClass} h-full cursor-pointer list-none`}>
          More<span className="sr-only"> views</span>
          <Icon of={ChevronDown} size={14} />
        </summary>
        <nav
          aria-label="More views"
          className="absolute end-0 z-20 mt-1 grid max-h-[70dvh] w-72 max-w-[calc(100vw-2rem)] gap-3 overflow-y-auto rounded-lg border border-line-strong bg-surface p-2 shadow-lg"
        >
          {groups.map((group) => (
            <Group key={group.title} {...group} current={current} counts={counts} />
          ))}
        </nav>
      </ViewMenu>
    </div>
  );
}

type GroupProps = Props & (typeof groups)[number];

function Group({ title, views, current, counts }: GroupProps) {
  return (
    <section>
      <h2 className="px-2 pb-1 text-xs font-semibold text-ink-faint">{title}</h2>
      <ul>
        {views.map((view) => {
          const count = countOf(view, counts);
          return (
            <li key={view}>
              <Link
                href={addressOf({ view })}
                prefetch={false}
                aria-current={view === current ? "page" : undefined}
                className="flex min-h-9 items-center justify-between gap-3 rounded-md px-2 hover:bg-hover aria-[current]:bg-selected aria-[current]:font-semibold pointer-coarse:min-h-11"
              >
                {viewNames[view]}
                {count !== undefined && <TabCount>{count}</TabCount>}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function countOf(view: QueueView, counts: QueueCounts): string | undefined {
  return view in counts
    ? // Safe because the view is one that was counted.
      besideText(counts[view as TabView])
    : undefined;
}
