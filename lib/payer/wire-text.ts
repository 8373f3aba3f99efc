import { payerNotes } from "#lib/messages/labels/payer-notes";
import { isBlank } from "#lib/platform/visible-length";
import type { ServiceReview } from "#lib/task/model/service-review";

/** The text, or undefined if it shows nothing, such as white space, which payers do not accept. */
export function nonBlank(text: string | undefined): string | undefined {
  return text === undefined || isBlank(text) ? undefined : text;
}

/** Longest message of one X12 MSG segment, in characters. */
export const noteCharactersMax = 264;

/** Splits a note into messages that fit a segment, after a space where possible; joined they are the note again. */
export function splitNote(text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = Array.from(text);
  while (rest.length > noteCharactersMax) {
    const space = rest.lastIndexOf(" ", noteCharactersMax - 1);
    const end = space > 0 ? space + 1 : noteCharactersMax;
    pieces.push(rest.slice(0, end).join(""));
    rest = rest.slice(end);
  }
  return rest.length > 0 ? [...pieces, rest.join("")] : pieces;
}

/**
 * What a request says to the payer in words: why it comes late, why it is an emergency, then the provider's notes.
 * None of them is blank.
 */
export function notesOf({
  retrospectiveReason,
  emergencyReason,
  providerNotes = [],
}: ServiceReview): readonly string[] {
  const [retrospective, emergency] = [nonBlank(retrospectiveReason), nonBlank(emergencyReason)];
  return [
    ...(retrospective === undefined ? [] : [payerNotes.retrospective(retrospective)]),
    ...(emergency === undefined ? [] : [payerNotes.emergency(emergency)]),
    ...providerNotes.flatMap(({ message }) => nonBlank(message) ?? []),
  ];
}
