import canonicalize from "canonicalize";
import type { ClaimSupportingInfo } from "fhir/r4";
import type { ServiceReview } from "#lib/task/model/service-review";
import { notesOf, splitNote, nonBlank } from "#lib/payer/wire-text";
import { concept, timing } from "./parts.ts";
import { added, cancelled, changed, isCancelled, untouched } from "./marks.ts";
import { systems } from "./vocabulary.ts";

/** Supporting information of a request, still without sequences. */
export type Information = Omit<ClaimSupportingInfo, "sequence">;

/** The dates of the event or admission, and the notes split into messages. */
export function informationOf(review: ServiceReview): readonly Information[] {
  const event = review.requestTypeCode === "AR" ? "admissionDates" : "patientEvent";
  const notes = notesOf(review).flatMap(messagesOf);
  return [
    ...(review.fromDate === undefined
      ? []
      : [{ category: concept(systems.temporary, event), ...timing("timing", review.fromDate, review.toDate) }]),
    ...(review.dischargeDate === undefined
      ? []
      : [{ category: concept(systems.temporary, "dischargeDates"), timingDate: review.dischargeDate }]),
    ...notes,
  ];
}

/** One note as the messages that carry it; a piece of white space alone carries nothing. */
export function messagesOf(note: string): readonly Information[] {
  return splitNote(note)
    .filter(nonBlank)
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
 * The supporting information of an update. Everything ever sent keeps its sequence, marked if it changed or was canceled, and
 * new entries follow. Dates continue the dates of their kind, a note the note with the same text, a document itself.
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
  // A canceled entry stays canceled, except for dates, because a Claim holds only one entry of each kind of dates.
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
