import { X } from "lucide";
import Link from "next/link";
import { TabCount } from "#components/list/tab-links";
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

const look =
  "inline-flex min-h-8 max-w-56 items-center gap-1.5 rounded-full border px-2.5 text-sm whitespace-nowrap hover:bg-hover pointer-coarse:min-h-11";

/** What narrows the list, each taken away by a click, and what narrows it further, each with what it would leave. */
export function FilterChips({ address, choices, facets }: Props) {
  const { view, sort, filters } = address;
  const inForce = filterNames.filter((name) => filters[name] !== undefined);
  if (inForce.length === 0 && facets.length === 0) return null;
  return (
    <div className="flex min-w-0 items-center gap-1.5 max-md:order-last max-md:-mx-4 max-md:basis-[calc(100%+2rem)] max-md:overflow-x-auto max-md:px-4 md:flex-1 md:flex-wrap">
      {inForce.length > 0 && (
        <ul aria-label="Active filters" className="contents">
          {inForce.map((name) => (
            <li key={name} className="shrink-0">
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
      {facets.length > 0 && (
        <ul aria-label="Narrow to" className="contents">
          {facets.map((facet) => (
            <li key={`${facet.name} ${facet.value}`} className="shrink-0">
              <Link
                href={addressOf({ view, sort, filters: { ...filters, [facet.name]: facet.value } })}
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
      )}
    </div>
  );
}

function labelOf(name: FilterName, choices: readonly Choice[]): string {
  const known = choices.find((one) => one.name === name)?.label;
  return known ?? (name === "practice" ? "Practice" : "Procedure code");
}

function valueText({ name, value }: { name: FilterName; value: string }, choices: readonly Choice[]): string {
  return choices.find((one) => one.name === name)?.options.find(({ id }) => id === value)?.name ?? value;
}

/** A value that stands without the name of its filter. */
function facetText(facet: QueueFacet, choices: readonly Choice[]): string {
  return facet.name === "assignee" && facet.value === "me" ? "Assigned to me" : valueText(facet, choices);
}
