import canonicalize from "canonicalize";
import type { ClaimSupportingInfo } from "fhir/r4";
import type { ServiceReview } from "#lib/task/model/service-review";
import { piecesOf } from "#lib/payer/notes";
import { solid } from "#lib/payer/solid";
import { concept, timing } from "./coded.ts";
import { added, cancelled, changed, isCancelled, untouched } from "./marks.ts";
import { systems } from "./vocabulary.ts";

/** What a request says beside its items, without sequences yet. */
export type Information = Omit<ClaimSupportingInfo, "sequence">;

/** The dates of the event or admission, and the notes cut to messages. */
export function informationOf(review: ServiceReview): readonly Information[] {
  const event = review.requestTypeCode === "AR" ? "admissionDates" : "patientEvent";
  const notes = (review.providerNotes ?? []).flatMap(({ message }) => messagesOf(message));
  return [
    ...(review.fromDate === undefined
      ? []
      : [{ category: concept(systems.temporary, event), ...timing("timing", review.fromDate, review.toDate) }]),
    ...notes,
  ];
}

/** One note as the messages that carry it; a piece of white space alone carries nothing. */
export function messagesOf(note: string): readonly Information[] {
  return piecesOf(note)
    .filter(solid)
    .map((valueString) => ({
      category: concept(systems.temporary, "freeFormMessage"),
      valueString,
    }));
}

/** In the order of a first request. */
export function numbered(wanted: readonly Information[]): ClaimSupportingInfo[] {
  return wanted.map((information, index) => ({ sequence: index + 1, ...information }));
}

/**
 * In an update: everything ever sent keeps its sequence, marked where it
 * changed or no longer counts, and what is new follows. Dates continue the
 * dates of their kind, a note the same words, a document itself.
 */
export function informationAfter(
  wanted: readonly Information[],
  before: readonly ClaimSupportingInfo[],
): ClaimSupportingInfo[] {
  const open = [...wanted];
  const take = (line: ClaimSupportingInfo) => {
    const at = open.findIndex((each) => keyOf(each) === keyOf(line));
    return at < 0 ? undefined : open.splice(at, 1)[0];
  };
  // What was taken back stays so, but for dates: of each kind a Claim holds one.
  const heirs = [...before.filter((line) => !isCancelled(line)), ...before.filter(isCancelled).filter(isDated)];
  const successors = new Map(heirs.map((line) => [line, take(line)]));
  const last = Math.max(0, ...before.map(({ sequence }) => sequence));
  return [
    ...before.map((line) => {
      const next = successors.get(line);
      if (!next) return isCancelled(line) ? untouched(line) : cancelled(line);
      const same = !isCancelled(line) && contentOf(next) === contentOf(line);
      return same ? untouched(line) : changed({ sequence: line.sequence, ...next });
    }),
    ...open.map((each, index) => added({ sequence: last + 1 + index, ...each })),
  ];
}

function isDated({ timingDate, timingPeriod }: Information): boolean {
  return timingDate !== undefined || timingPeriod !== undefined;
}

function keyOf({ category, valueString, valueReference }: Information): string {
  return canonicalize([category.coding, valueString ?? null, valueReference?.reference ?? null]) ?? "";
}

function contentOf({ category, timingDate, timingPeriod }: Information): string {
  return canonicalize([category.coding, timingDate ?? null, timingPeriod ?? null]) ?? "";
}
