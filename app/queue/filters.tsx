"use client";

import { ListFilter } from "lucide";
import { useRouter } from "next/navigation";
import type { ReactNode, SubmitEvent } from "react";
import { Button } from "#components/form/button";
import { Icon } from "#components/shell/icon";
import { putsUrgentFirst, sortsByPayer } from "#lib/queue/model/queue";
import type { QueueChoices } from "#lib/queue/queue-choices";
import { addressOf, readAddress, type Address, type FilterName } from "#lib/queue/queue-address";
import type { QueueFacet } from "#lib/queue/queue-facets";
import { filterChoices, type Choice } from "./filter-choices.ts";
import { FilterChips } from "./filter-chips.tsx";

/** Filters that have no chip: the form stays open while one of them is active. */
const formOnly: readonly FilterName[] = ["action", "state", "channel", "code", "age"];

type Props = {
  readonly address: Address;
  readonly choices: QueueChoices;
  readonly facets: readonly QueueFacet[];
  /** At the end of the line: what can be done with the list as it is narrowed. */
  readonly children?: ReactNode;
};

/** What narrows the list: a form that is an address, so that it works as well without a script. */
export function Filters({ address, choices, facets, children }: Props) {
  const { view, sort, filters } = address;
  const list = filterChoices(choices, address);
  const open = formOnly.some((name) => filters[name] !== undefined);
  const router = useRouter();
  // The form's own address names what is empty too, and the page would answer it by another one, blank in between.
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = [...new FormData(event.currentTarget)];
    const fields = form.flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []));
    router.push(addressOf(readAddress(Object.fromEntries(fields))));
  };
  return (
    <div className="mb-4 flex flex-wrap items-start gap-x-3 gap-y-2">
      <details open={open} key={`${open}`} className="open:w-full">
        <summary className="inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded-md px-2 py-1 pointer-coarse:min-h-11 font-semibold text-ink-soft hover:bg-hover hover:text-ink -ms-2">
          <Icon of={ListFilter} size={15} />
          Filter and sort
        </summary>
        <form
          key={addressOf({ view, sort, filters })}
          action="/queue"
          onSubmit={apply}
          className="mt-2 grid grid-cols-2 items-end gap-2 rounded-lg border border-line bg-sunken p-3 sm:grid-cols-3 lg:grid-cols-[repeat(auto-fit,minmax(6rem,1fr))]"
        >
          <input type="hidden" name="view" value={view} />
          {list.map((choice) => (
            <Select key={choice.name} {...choice} value={filters[choice.name]} />
          ))}
          <Labelled name="code" label="Procedure code">
            <input id="filter-code" name="code" maxLength={64} defaultValue={filters.code} className={control} />
          </Labelled>
          {putsUrgentFirst(view) && (
            <Labelled name="sort" label="Sort by">
              <select id="filter-sort" name="sort" defaultValue={sort} className={control}>
                <option value="urgency">Urgent first</option>
                <option value="due">Our target</option>
                {sortsByPayer(view) && <option value="payer">Payer's deadline</option>}
              </select>
            </Labelled>
          )}
          <Button className="w-full">Apply</Button>
        </form>
      </details>
      <FilterChips address={address} choices={list} facets={facets} />
      {children}
    </div>
  );
}

const control =
  "block min-h-8 w-full min-w-0 rounded-md border border-line-strong bg-surface px-2 py-1 text-ink pointer-coarse:min-h-11";

function Labelled({ name, label, children }: { name: string; label: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <label htmlFor={`filter-${name}`} className="mb-0.5 block text-xs font-semibold text-ink-soft">
        {label}
      </label>
      {children}
    </div>
  );
}

function Select({ name, label, options, value }: Choice & { readonly value: string | undefined }) {
  const known = value === undefined || options.some(({ id }) => id === value);
  return (
    <Labelled name={name} label={label}>
      <select id={`filter-${name}`} name={name} defaultValue={value ?? ""} className={control}>
        <option value="">Any</option>
        {!known && <option value={value}>{value}</option>}
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </select>
    </Labelled>
  );
}
