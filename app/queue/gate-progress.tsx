import { PlainText } from "#components/plain-text";
import { RecallLeft } from "#components/recall-left";
import { Time } from "#components/time";
import type { QueueRow } from "#lib/tasks/views";

/** Who released a case of the list so far, or how long its release can still be recalled. */
export function GateProgress({ progress }: { readonly progress: NonNullable<QueueRow["progress"]> }) {
  const { needed, released, last, recallUntil } = progress;
  if (recallUntil) {
    return (
      <span className="text-sm font-semibold">
        <RecallLeft untilMs={recallUntil.getTime()} nowMs={Date.now()} />
      </span>
    );
  }
  if (released === 0 || needed === 1) return null;
  return (
    <span className="text-sm text-ink-soft">
      {released} of {needed} released
      {last && (
        <>
          , <PlainText>{last.name}</PlainText> at <Time at={last.at} as="clock" />
        </>
      )}
    </span>
  );
}
