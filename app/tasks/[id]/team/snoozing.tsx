import { nearHours } from "#lib/queue/model/snooze";
import { AlarmClock, ChevronDown } from "lucide";
import { ActForm, ActSelect, ActText } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { KeyHint } from "#components/keyboard/key-hint";
import { Icon } from "#components/shell/icon";
import { isPayerLate } from "#components/text/case-badges";
import { PlainText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import { snoozeChoiceTexts, snoozeWaitTexts } from "#lib/messages/reviewer/snooze";
import { isSnoozable, snoozeChoices, type SnoozeChoice } from "#lib/queue/model/snooze";
import type { DeskView } from "#lib/queue/open-case";
import type { CaseView } from "#lib/task/views";
import { WhileSnoozed } from "#components/live/while-snoozed";
import { nowMs } from "#lib/platform/now";
import { snooze, wake } from "./desk-actions.ts";

type Props = {
  readonly view: CaseView;
  readonly snoozed: DeskView["snooze"];
  /** The zone that times are typed in. */
  readonly zone: string;
};

/** The control that snoozes a case; nothing where the case is in neither To release nor Action required. */
export function SnoozeMenu({ view, snoozed, zone }: Props) {
  if (snoozed || !isSnoozable(factsOf(view))) return null;
  const options = choicesFor(view).map((value) => ({ value, text: snoozeChoiceTexts[value] }));
  return (
    <details data-hanging="" className="relative print:hidden">
      <summary
        aria-keyshortcuts="s"
        className="inline-flex min-h-6 list-none items-center gap-1.5 rounded-md text-sm text-ink-soft hover:text-ink hover:underline pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden"
      >
        <Icon of={AlarmClock} size={14} />
        Snooze
        <Icon of={ChevronDown} size={14} className="text-ink-faint" />
        <KeyHint chord="s" />
      </summary>
      <div className="appear absolute end-0 z-20 mt-1 w-72 max-w-[80vw] rounded-lg border border-line bg-surface p-3 shadow-lg max-md:fixed max-md:inset-x-3 max-md:bottom-3 max-md:z-40 max-md:w-auto max-md:max-w-none">
        <ActForm act={snooze} data-form="snooze" className="group/snooze grid gap-3">
          <input type="hidden" name="taskId" value={view.taskId} />
          <input type="hidden" name="changedAt" value={view.changedAt.toISOString()} />
          <input type="hidden" name="zone" value={zone} />
          <ActSelect name="choice" label="Snooze until" options={options} defaultValue="tomorrow" />
          <div className="hidden group-has-[option[value=at]:checked]/snooze:block">
            <ActText
              name="at"
              label="Date and time"
              type="datetime-local"
              hint={`Time zone: ${zone.replaceAll("_", " ")}`}
            />
          </div>
          <p className="text-sm text-ink-soft">
            For everyone in the practice. It wakes when anything changes on it, and {nearHours} hours before it is due.
          </p>
          <SubmitButton wide>Snooze</SubmitButton>
        </ActForm>
      </div>
    </details>
  );
}

/** That a case is snoozed, by whom and until when, and the way to wake it. */
export function SnoozedBar({ view, snoozed }: Pick<Props, "view" | "snoozed">) {
  if (!snoozed) return null;
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-sunken px-4 py-1.5">
      <Icon of={AlarmClock} className="shrink-0 text-ink-soft" />
      <WhileSnoozed ends={{ drawnMs: nowMs(), endsMs: [snoozed.until.getTime()] }}>
        <p className="min-w-0 flex-1 wrap-anywhere">
          Snoozed until <Time at={snoozed.until} />
          {snoozeWaitTexts[snoozed.waitsFor]} by <PlainText>{snoozed.by}</PlainText>.
        </p>
        <ActForm act={wake} data-form="wake" className="print:hidden">
          <input type="hidden" name="taskId" value={view.taskId} />
          <SubmitButton>Wake</SubmitButton>
        </ActForm>
      </WhileSnoozed>
    </div>
  );
}

function factsOf({ state, attention, clock }: CaseView) {
  return { state, attention, isPayerLate: isPayerLate(clock) };
}

/** Of a payer that has nothing there is nothing to hear. */
function choicesFor({ payerReceipt }: CaseView): readonly SnoozeChoice[] {
  return snoozeChoices.filter((choice) => choice !== "payer" || payerReceipt !== "no");
}
