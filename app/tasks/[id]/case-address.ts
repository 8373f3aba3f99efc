import { addressOf, readAddress, type Address } from "#lib/queue/queue-address";

/** The parts of a case's evidence, in the order of their keys, from 1. */
export const caseTabs = ["documents", "notes", "cases", "payer", "details"] as const;
export type CaseTab = (typeof caseTabs)[number];

export const detailTabs = ["digests", "bytes", "history", "changes", "sender", "connection"] as const;
export type DetailTab = (typeof detailTabs)[number];

/** What of a case its page shows: ids and names of parts, nothing of a patient. */
export type CaseAddress = {
  readonly tab?: CaseTab | undefined;
  /** The digest of the open document. */
  readonly doc?: string | undefined;
  readonly detail?: DetailTab | undefined;
  readonly notes?: "all" | undefined;
  readonly edit?: boolean | undefined;
  /** The list of the queue that the case was opened from, as the query of its address; undefined for the whole queue. */
  readonly list?: string | undefined;
};

type Params = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads an address; what it does not know is left out. */
export function readCaseAddress({ tab, doc, detail, notes, edit, list }: Params): CaseAddress {
  return {
    tab: caseTabs.find((known) => known === tab),
    doc: typeof doc === "string" && /^[0-9a-f]{64}$/.test(doc) ? doc : undefined,
    detail: detailTabs.find((known) => known === detail),
    notes: notes === "all" ? notes : undefined,
    edit: edit === "1",
    list: typeof list === "string" ? queryOfList(listOf(list)) : undefined,
  };
}

/** The list of the queue that a query names, without whatever does not belong in one. */
export function listOf(query: string | undefined): Address {
  return readAddress(Object.fromEntries(new URLSearchParams(query ?? "")));
}

function queryOfList(list: Address): string | undefined {
  return addressOf(list).slice("/queue?".length) || undefined;
}

/** The address of a case with this of it open. */
export function caseAddress(taskId: string, { tab, doc, detail, notes, edit, list }: CaseAddress = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ tab, doc, detail, notes, edit: edit ? "1" : undefined, list }))
    if (value !== undefined) query.set(name, value);
  return query.size === 0 ? `/tasks/${taskId}` : `/tasks/${taskId}?${query}`;
}
