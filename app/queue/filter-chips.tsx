import { ChevronDown, X } from "lucide";
import Link from "next/link";
import { useInSight } from "#components/list/use-in-sight";
import { TabCount } from "#components/list/tab-links";
import { classNames } from "#components/shell/class-names";
import { Icon } from "#components/shell/icon";
import { PlainText } from "#components/text/plain-text";
import { besideText } from "#lib/messages/reviewer/queue";
import { addressOf, filterNames, isNarrowed, type Address, type FilterName } from "#lib/queue/queue-address";
import type { QueueFacet } from "#lib/queue/queue-facets";
import type { Choice } from "./filter-choices.ts";

type Props = {
  readonly address: Address;
  readonly choices: readonly Choice[];
  readonly facets: readonly QueueFacet[];
};

/** As many as one line has room for; the others are in a menu at its end. */
const besideMax = 4;

const look =
  "inline-flex min-h-8 max-w-56 min-w-0 items-center gap-1.5 rounded-full border px-2.5 text-sm whitespace-nowrap hover:bg-hover pointer-coarse:min-h-11";

/** On a wide screen a long name gives way; on a small one the line is scrolled. */
const item = "flex min-w-0 max-md:shrink-0";

/** What narrows the list, each taken away by a click, and what narrows it further, each with what it would leave. */
export function FilterChips({ address, choices, facets }: Props) {
  const { view, sort, filters } = address;
  const inForce = filterNames.filter((name) => filters[name] !== undefined);
  const row = useInSight<HTMLDivElement>(undefined);
  if (inForce.length === 0 && facets.length === 0) return null;
  const room = Math.max(0, besideMax - inForce.length);
  const [beside, others] = parted(facets, room);
  return (
    <div className="flex min-w-0 items-center gap-1.5 max-md:order-last max-md:basis-full md:flex-1">
      <div
        ref={row}
        className={classNames(
          "scrolled-row",
          "flex min-w-0 items-center gap-1.5 max-md:overflow-x-auto max-md:py-0.5",
          inForce.length > besideMax && "md:flex-wrap",
        )}
      >
        {inForce.length > 0 && (
          <ul aria-label="Active filters" className="contents">
            {inForce.map((name) => (
              <li key={name} className={item}>
                <Link
                  href={addressOf({ view, sort, filters: { ...filters, [name]: undefined } })}
                  prefetch={false}
                  className={`${look} border-line-strong bg-selected text-ink`}
                >
                  <span className="sr-only">Remove the filter </span>
                  <span className="text-ink-soft">{labelOf(name, choices)}</span>
                  <span className="truncate font-semibold">
                    <PlainText>{valueText({ name, value: filters[name] ?? "" }, choices)}</PlainText>
                  </span>
                  <Icon of={X} size={13} className="shrink-0 text-ink-soft" />
                </Link>
              </li>
            ))}
          </ul>
        )}
        {isNarrowed(address) && (
          <Link
            href={addressOf({ view, sort })}
            prefetch={false}
            className="inline-flex min-h-8 shrink-0 items-center px-1.5 text-sm whitespace-nowrap underline pointer-coarse:min-h-11"
          >
            Clear all
          </Link>
        )}
        {beside.length > 0 && <Beside address={address} choices={choices} facets={beside} />}
      </div>
      {others.length > 0 && <Others address={address} choices={choices} facets={others} />}
    </div>
  );
}

/** What narrows the list further, as far as the line has room. */
function Beside({ address, choices, facets }: Props) {
  return (
    <ul aria-label="Narrow to" className="contents">
      {facets.map((facet) => (
        <li key={`${facet.name} ${facet.value}`} className={item}>
          <Link
            href={narrowed(address, facet)}
            prefetch={false}
            className={`${look} border-line bg-surface text-ink-soft hover:text-ink`}
          >
            <span className="truncate">
              <PlainText>{facetText(facet, choices)}</PlainText>
            </span>
            <TabCount>{besideText(facet.count)}</TabCount>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The first so many. Of practices or payers all or none: one of two alone would look as if it were the only one. */
function parted(facets: readonly QueueFacet[], room: number): readonly [readonly QueueFacet[], readonly QueueFacet[]] {
  const next = facets[room];
  const start = facets.findIndex(({ name }) => name === next?.name);
  const cut = next === undefined || start === 0 ? room : start;
  return [facets.slice(0, cut), facets.slice(cut)];
}

/** What else the list can be narrowed to, in groups by what it is. */
function Others({ address, choices, facets }: Props) {
  const names = [...new Set(facets.map(({ name }) => name))];
  return (
    <details data-hanging="" className="relative shrink-0 print:hidden">
      <summary
        className={`${look} list-none border-line bg-surface text-ink-soft hover:text-ink [&::-webkit-details-marker]:hidden`}
      >
        More<span className="sr-only"> filters</span>
        <Icon of={ChevronDown} size={14} className="text-ink-faint" />
      </summary>
      <div className="appear absolute end-0 z-20 mt-1 grid w-72 max-w-[calc(100vw-2rem)] gap-3 rounded-lg border border-line-strong bg-surface p-2 shadow-lg">
        {names.map((name) => (
          <section key={name}>
            <h2 className="px-2 pb-1 text-xs font-semibold text-ink-faint">{labelOf(name, choices)}</h2>
            <ul aria-label={`Narrow to: ${labelOf(name, choices)}`}>
              {facets
                .filter((facet) => facet.name === name)
                .map((facet) => (
                  <li key={facet.value}>
                    <Link
                      href={narrowed(address, facet)}
                      prefetch={false}
                      className="flex min-h-9 items-center justify-between gap-3 rounded-md px-2 hover:bg-hover pointer-coarse:min-h-11"
                    >
                      <span className="truncate">
                        <PlainText>{facetText(facet, choices)}</PlainText>
                      </span>
                      <TabCount>{besideText(facet.count)}</TabCount>
                    </Link>
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </details>
  );
}

function narrowed({ view, sort, filters }: Address, { name, value }: QueueFacet): string {
  return addressOf({ view, sort, filters: { ...filters, [name]: value } });
}

/** Names of filters that the form leaves out where they have one choice. */
const unlisted: Readonly<Partial<Record<FilterName, string>>> = { practice: "Practice", environment: "Environment" };

function labelOf(name: FilterName, choices: readonly Choice[]): string {
  const known = choices.find((one) => one.name === name)?.label;
  return known ?? unlisted[name] ?? "Procedure code";
}

function valueText({ name, value }: { name: FilterName; value: string }, choices: readonly Choice[]): string {
  return choices.find((one) => one.name === name)?.options.find(({ id }) => id === value)?.name ?? value;
}

/** A value that stands without the name of its filter. */
function facetText(facet: QueueFacet, choices: readonly Choice[]): string {
  return facet.name === "assignee" && facet.value === "me" ? "Assigned to me" : valueText(facet, choices);
}
