import { contextOf, currentPerson } from "#lib/person/session/person";
import { lateDecisions } from "#lib/person/session/late-decision";
import { decidedLately, type LateDecision } from "#lib/gate/decided-lately";
import { nowMs } from "#lib/platform/now";
import { SeveralStrip, UndoStrip } from "./undo-strip.tsx";

/**
 * On every page after a decision of the reader's own, until it can no longer be undone: what was decided, of which case,
 * and the one button that takes it back. Nothing in it names the patient.
 */
export async function UndoBar() {
  const late = await lateDecisions();
  const person = late && (await currentPerson());
  const list = person ? await decidedLately(contextOf(person), late) : [];
  const [decided] = list;
  if (!late || !decided) return null;
  if (late.places.length > 1) return <SeveralReleased list={list} untilMs={late.untilMs} />;
  const { taskId, shortId, answer, seen, undoUntil } = decided;
  const what = undoUntil ? "recall" : answer === "voted" ? "withdraw-vote" : undefined;
  const untilMs = undoUntil?.getTime() ?? late.untilMs;
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

/** Several cases are released together, and taken back together as many of them as still can be. */
function SeveralReleased({ list, untilMs }: { readonly list: readonly LateDecision[]; readonly untilMs: number }) {
  const undoable = list.filter(({ undoUntil }) => undoUntil !== undefined);
  const released = list.length === 1 ? "Released 1 case" : `Released ${list.length} cases`;
  const isPart = undoable.length > 0 && undoable.length < list.length;
  return (
    <SeveralStrip
      text={isPart ? `${released}, ${undoable.length} can be undone` : released}
      items={undoable.map(({ taskId, seen }) => `${taskId} ${seen.gateId}`)}
      untilMs={undoable.length === 0 ? untilMs : Math.max(...undoable.map((one) => one.undoUntil?.getTime() ?? 0))}
      nowMs={nowMs()}
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
