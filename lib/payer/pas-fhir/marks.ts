import type { ClaimItem, ClaimSupportingInfo, Extension } from "fhir/r4";
import { coded, defined } from "./parts.ts";
import { extensions, systems } from "./vocabulary.ts";

type HasModifiers = {
  readonly modifierExtension?:
    | readonly { readonly url: string; readonly valueBoolean?: boolean | undefined }[]
    | undefined;
};

/** What a Claim keeps under one sequence for as long as the case lasts. */
export type ClaimLine = ClaimItem | ClaimSupportingInfo;

/** X12 1322 (UM02): the item is cancelled; the item revises one asked before. */
const cancel = "3";
const revised = "S";

/** As it was sent before, and not touched now. */
export function untouched<Kind extends ClaimLine>(line: Kind): Kind {
  return withExtensions(line, without(line.extension, extensions.infoChanged));
}

/** As it is asked now for the first time. */
export function added<Kind extends ClaimLine>(line: Kind): Kind {
  return flagged(line, "added");
}

/** As it is asked now, in place of what stood under its sequence. */
export function changed<Kind extends ClaimLine>(line: Kind): Kind {
  return flagged(line, "changed");
}

/** An item asked now in place of an earlier one; it revises, unless the request itself is of another type now. */
export function revisedItem(item: ClaimItem, before: ClaimItem): ClaimItem {
  const type = certificationOf(before);
  const other = type !== revised && type !== certificationOf(item);
  return changed(other ? item : certified(item, revised));
}

/** As it was sent before, and no longer asked. */
export function cancelled<Kind extends ClaimLine>(line: Kind): Kind {
  return { ...changed(line), modifierExtension: [{ url: extensions.infoCancelled, valueBoolean: true }] };
}

/** A cancelled item says so twice, and no longer points at diagnoses, providers or an order, which may be gone. */
export function cancelledItem(item: ClaimItem): ClaimItem {
  const alone = { ...item, diagnosisSequence: undefined, careTeamSequence: undefined };
  const withoutOrder = withExtensions(item, without(item.extension, extensions.requestedService));
  const { extension } = withoutOrder;
  return cancelled(certified(defined<ClaimItem>({ ...alone, extension }), cancel));
}

/** Whether it was taken back, now or earlier. */
export function isCancelled({ modifierExtension }: HasModifiers): boolean {
  return modifierExtension?.some(({ url, valueBoolean }) => url === extensions.infoCancelled && valueBoolean) === true;
}

/** X12 1322, UM02 of one item. */
export function certificationOf({ extension }: ClaimItem): string | undefined {
  return extension?.find(({ url }) => url === extensions.certificationType)?.valueCodeableConcept?.coding?.[0]?.code;
}

/** The Claim's own mark that the whole request is taken back (PAS 2.2.1; 2.0.1 has none). */
export function wholeCancelled(): Extension {
  return coded(extensions.certificationType, systems.certification, cancel);
}

function certified(item: ClaimItem, type: string): ClaimItem {
  const mark = coded(extensions.certificationType, systems.certification, type);
  return withExtensions(item, [...without(item.extension, extensions.certificationType), mark]);
}

function flagged<Kind extends ClaimLine>(line: Kind, mode: "added" | "changed"): Kind {
  const mark = { url: extensions.infoChanged, valueCode: mode };
  return withExtensions(line, [...without(line.extension, extensions.infoChanged), mark]);
}

function without(list: readonly Extension[] | undefined, unwanted: string): Extension[] {
  return (list ?? []).filter(({ url }) => url !== unwanted);
}

/** Extensions stand first, as everywhere in what this connector builds. */
function withExtensions<Kind extends ClaimLine>({ extension: _, ...line }: Kind, extension: Extension[]): Kind {
  // Safe because only the extensions were taken off and put back.
  return (extension.length > 0 ? { extension, ...line } : line) as Kind;
}
