"use client";

import { ListFilter, X } from "lucide";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { SubmitEvent } from "react";
import { Button } from "#components/form/button";
import { stateText } from "#lib/messages/reviewer/case";
import { Icon } from "#components/shell/icon";
import { PlainText } from "#components/text/plain-text";
import { putsUrgentFirst, queueAges, sortsByPayer } from "#lib/queue/model/queue";
import { states } from "#lib/task/model/task";
import type { QueueChoices } from "#lib/queue/queue-choices";
import {
  addressOf,
  filterNames,
  isNarrowed,
  readAddress,
  type Address,
  type FilterName,
} from "#lib/queue/queue-address";
import { ageTexts } from "#lib/messages/reviewer/queue";

type Option = { readonly id: string; readonly name: string };
type Choice = { readonly name: FilterName; readonly label: string; readonly options: readonly Option[] };

const actions: readonly Option[] = [
  { id: "transmit", name: "Transmit" },
  { id: "void", name: "Void" },
];

function choicesOf({ practices, payers, channels }: QueueChoices): readonly Choice[] {
  const ages = Object.keys(queueAges) as (keyof typeof queueAges)[];
  const all: readonly Choice[] = [
    { name: "practice", label: "Practice", options: practices },
    { name: "payer", label: "Payer", options: payers },
    { name: "action", label: "Action", options: actions },
    { name: "state", label: "State", options: states.map((state) => ({ id: state, name: stateText(state) })) },
    { name: "channel", label: "Channel", options: channels },
    { name: "age", label: "Age", options: ages.map((age) => ({ id: age, name: ageTexts[age] })) },
  ];
  return all.filter(({ name, options }) => options.length > 1 || name !== "practice");
}

type Props = { readonly address: Address; readonly choices: QueueChoices };

/** What narrows the list: a form that is an address, so that it works as well without a script. */
export function Filters({ address, choices }: Props) {
  const { view, sort, filters } = address;
  const list = choicesOf(choices);
  const narrowed = isNarrowed(address);
  const router = useRouter();
  // The form's own address names what is empty too, and the page would answer it by another one, blank in between.
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = [...new FormData(event.currentTarget)];
    const fields = form.flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as const] : []));
    router.push(addressOf(readAddress(Object.fromEntries(fields))));
  };
  return (
    <div className="mb-4 grid gap-2">
      <details open={narrowed} key={`${narrowed}`} className="group">
        <summary className="inline-flex min-h-8 cursor-pointer items-center gap-1.5 rounded-md px-2 py-1 font-semibold text-ink-soft hover:bg-hover hover:text-ink -ms-2">
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
                {sortsByPayer(view) && <option value="payer">Payer’s deadline</option>}
              </select>
            </Labelled>
          )}
          <Button className="w-full">Apply</Button>
        </form>
      </details>
      {narrowed && <Chips address={address} list={list} />}
    </div>
  );
}

const control = "block min-h-8 w-full min-w-0 rounded-md border border-line-strong bg-surface px-2 py-1 text-ink";

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

function Chips({ address, list }: { readonly address: Address; readonly list: readonly Choice[] }) {
  const { view, sort, filters } = address;
  return (
    <ul aria-label="Filters in force" className="flex flex-wrap items-center gap-1.5">
      {filterNames.map((name) => {
        const value = filters[name];
        if (value === undefined) return null;
        const choice = list.find((one) => one.name === name);
        const label = choice?.label ?? (name === "practice" ? "Practice" : "Procedure code");
        const text = choice?.options.find(({ id }) => id === value)?.name ?? value;
        return (
          <li key={name}>
            <Link
              href={addressOf({ view, sort, filters: { ...filters, [name]: undefined } })}
              prefetch={false}
              className="inline-flex min-h-7 max-w-full items-center gap-1 rounded-md border border-line-strong bg-surface px-2 py-0.5 text-sm hover:bg-hover"
            >
              <span className="sr-only">Remove the filter </span>
              <span className="text-ink-faint">{label}</span>
              <span className="truncate font-semibold">
                <PlainText>{text}</PlainText>
              </span>
              <Icon of={X} size={13} className="shrink-0 text-ink-faint" />
            </Link>
          </li>
        );
      })}
      <li>
        <Link href={addressOf({ view, sort })} prefetch={false} className="px-1.5 text-sm underline">
          Clear all
        </Link>
      </li>
    </ul>
  );
}
