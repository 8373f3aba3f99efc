import { contextOf, currentPerson } from "#lib/person/session/person";
import { lateDecisionPlace } from "#lib/person/session/late-decision";
import { decidedLately, type LateDecision } from "#lib/gate/decided-lately";
import { nowMs } from "#lib/platform/now";
import { UndoStrip } from "./undo-strip.tsx";

/**
 * On every page after a decision of the reader's own, until it can no longer be undone: what was decided, of which case,
 * and the one button that takes it back. Nothing in it names the patient.
 */
export async function UndoBar() {
  const place = await lateDecisionPlace();
  const person = place && (await currentPerson());
  const decided = person && (await decidedLately(contextOf(person), place));
  if (!decided) return null;
  const { taskId, shortId, answer, seen, undoUntil } = decided;
  const what = undoUntil ? "recall" : answer === "voted" ? "withdraw-vote" : undefined;
  const untilMs = undoUntil?.getTime() ?? place.untilMs;
  return (
    <UndoStrip
      key={`${seen.gateId} ${answer}`}
      {...{ taskId, shortId, what, untilMs }}
      text={textOf(decided)}
      nowMs={nowMs()}
      once={crypto.randomUUID()}
      seen={seen}
    />
  );
}

function textOf({ answer, action }: LateDecision): string {
  const of = action === "void" ? "the void of case" : "case";
  switch (answer) {
    case "released":
      return action === "void" ? "Void of case" : "Released case";
    case "voted":
      return `Your release is recorded for ${of}`;
    case "declined":
      return `Declined ${of}`;
    case "sent-back":
      return "Requested information on case";
  }
}
