import { ChevronDown } from "lucide";
import Link from "next/link";
import { TabCount, TabLinks, tabClass } from "#components/list/tab-links";
import { Icon } from "#components/shell/icon";
import { besideText, viewNames } from "#lib/messages/reviewer/queue";
import { mainViews, riskViews, type QueueView, type TabView } from "#lib/queue/model/queue";
import type { QueueCounts } from "#lib/queue/list-queue";
import { addressOf } from "#lib/queue/queue-address";
import type { SavedView } from "#lib/queue/model/saved-view";
import { PlainText } from "#components/text/plain-text";
import { ViewMenu } from "./view-menu.tsx";

type Props = {
  /** Undefined where a search is shown, which is none of them. */
  readonly current: QueueView | undefined;
  readonly counts: QueueCounts;
  readonly saved: readonly SavedView[];
  /** The saved view that is shown. */
  readonly kept: SavedView | undefined;
  /** How many cases a saved view has, by its id; of those that stand beside the four. */
  readonly savedCounts: ReadonlyMap<string, number>;
};

/** The views that the menu has, in groups. */
const groups: readonly { readonly title: string; readonly views: readonly QueueView[] }[] = [
  { title: "Open requests", views: ["all", "mine", "unassigned", "urgent", "snoozed"] },
  { title: "Waiting for others", views: ["sent-back", "payer-wants"] },
  { title: "With a date", views: ["expiring", "denied", ...riskViews] },
];

/** The ways to look at the queue, each an address of its own: four with their numbers, and the others in a menu. */
export function Views({ current, counts, saved, kept, savedCounts }: Props) {
  const isBeside = current !== undefined && kept === undefined && !mainViews.some((view) => view === current);
  // What rests has a tab for as long as anything does, so that it is not forgotten.
  const rests: readonly QueueView[] = counts.snoozed > 0 && current !== "snoozed" ? ["snoozed"] : [];
  const shown: readonly QueueView[] = [...mainViews, ...rests, ...(isBeside ? [current] : [])];
  const tabs = [
    ...shown.map((view) => ({
      href: addressOf({ view }),
      name: viewNames[view],
      count: countOf(view, counts),
      calls: view === "person" && counts[view] > 0,
    })),
    ...besides(saved, kept).map(({ id, name, query }) => ({
      href: hrefOf(query),
      name,
      count: savedCount(id, savedCounts),
    })),
  ];
  return (
    <div className="mb-4 flex items-stretch">
      <div className="min-w-0 flex-1 max-md:me-4">
        <TabLinks
          label="Views"
          tabs={tabs}
          current={kept ? hrefOf(kept.query) : current && addressOf({ view: current })}
        />
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
          <SavedGroup saved={saved} kept={kept} savedCounts={savedCounts} />
          {groups.map((group) => (
            <Group key={group.title} {...group} current={kept ? undefined : current} counts={counts} />
          ))}
        </nav>
      </ViewMenu>
    </div>
  );
}

/** As many saved views as fit beside the four; the one that is shown is always among them. */
const besideMax = 3;

export function besides(saved: readonly SavedView[], kept: SavedView | undefined): readonly SavedView[] {
  const others = saved.filter(({ query }) => !isMainList(query));
  if (kept && isMainList(kept.query)) return others.slice(0, besideMax);
  const first = others.slice(0, besideMax);
  return kept === undefined || first.includes(kept) ? first : [...first.slice(0, besideMax - 1), kept];
}

/** Whether an address is one of the four views as they come, which have their tabs. */
export function isMainList(query: string): boolean {
  return mainViews.some((view) => addressOf({ view }) === hrefOf(query));
}

const hrefOf = (query: string) => (query === "" ? "/queue" : `/queue?${query}`);

const item =
  "flex min-h-9 items-center justify-between gap-3 rounded-md px-2 hover:bg-hover aria-[current]:bg-selected aria-[current]:font-semibold pointer-coarse:min-h-11";

/** What the reader and their practices saved, each with whose it is. */
function SavedGroup({ saved, kept, savedCounts }: Pick<Props, "saved" | "kept" | "savedCounts">) {
  if (saved.length === 0) return null;
  return (
    <section>
      <h2 className="px-2 pb-1 text-xs font-semibold text-ink-faint">Saved views</h2>
      <ul>
        {saved.map(({ id, name, query, practice }) => (
          <li key={id}>
            <Link
              href={hrefOf(query)}
              prefetch={false}
              aria-current={id === kept?.id ? "page" : undefined}
              className={item}
            >
              <span className="min-w-0 truncate">
                <PlainText>{name}</PlainText>
                {practice && <span className="ms-2 text-xs text-ink-faint">{practice.name}</span>}
              </span>
              {savedCounts.has(id) && <TabCount>{savedCount(id, savedCounts)}</TabCount>}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

type GroupProps = Pick<Props, "current" | "counts"> & (typeof groups)[number];

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
                className={item}
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

function savedCount(id: string, counts: Props["savedCounts"]): string | undefined {
  const count = counts.get(id);
  return count === undefined ? undefined : besideText(count);
}

function countOf(view: QueueView, counts: QueueCounts): string | undefined {
  return view in counts
    ? // Safe because the view is one that was counted.
      besideText(counts[view as TabView])
    : undefined;
}
