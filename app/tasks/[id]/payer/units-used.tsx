import { ActForm, ActText } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { Section } from "#components/list/section";
import { PlainText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import { usedText } from "#lib/messages/progress-text";
import type { DeskView } from "#lib/queue/open-case";
import { authorizedUnits } from "#lib/task/model/authorization-progress";
import { unitText } from "#lib/messages/labels/codes";
import { isAuthorization } from "#lib/task/model/renewal";
import type { CaseView } from "#lib/task/views";
import { recordUse } from "../team/desk-actions.ts";
import { meterBar } from "./authorization-progress.tsx";

type Props = { readonly view: CaseView; readonly used: DeskView["unitsUsed"] };

/** How much of an approval is used, as the practice knows it; nothing where no units are authorized. */
export function UnitsUsed({ view: { taskId, state, determinations }, used }: Props) {
  const current = determinations.findLast(({ standing }) => standing === "in-force");
  if (!current || state !== "determined" || !isAuthorization(current.outcome)) return null;
  const lines = authorizedUnits(current.lines);
  if (lines.length === 0) return null;
  const known = used?.determinationId === current.id ? used : undefined;
  const usedOf = (sequence: number) => known?.uses.find((use) => use.sequence === sequence)?.used;
  return (
    <Section title="Units used" aside="As recorded here: payers don't report it.">
      {known && (
        <div className="mb-3 grid gap-2">
          {lines.map((line) => {
            const count = usedOf(line.sequence);
            return (
              count !== undefined && (
                <Used key={line.sequence} line={line} count={count} named={current.lines.length > 1} />
              )
            );
          })}
          <p className="text-sm text-ink-faint">
            Recorded by <PlainText>{known.by}</PlainText>, <Time at={known.at} />
          </p>
        </div>
      )}
      <ActForm act={recordUse} className="grid gap-2.5 print:hidden" data-form="units-used">
        <input type="hidden" name="taskId" value={taskId} />
        <input type="hidden" name="determinationId" value={current.id} />
        <div className="flex flex-wrap items-end gap-3">
          {lines.map(({ sequence, authorized, unit }) => (
            <div key={sequence} className="w-40">
              <ActText
                name={`used-${sequence}`}
                label={`${current.lines.length > 1 ? `Service ${sequence}: used` : "Used"} of ${authorized} ${unitText(unit, authorized)}`}
                inputMode="decimal"
                autoComplete="off"
                defaultValue={usedOf(sequence)}
              />
            </div>
          ))}
          <SubmitButton>Record units used</SubmitButton>
        </div>
      </ActForm>
    </Section>
  );
}

type UsedProps = {
  readonly line: ReturnType<typeof authorizedUnits>[number];
  readonly count: number;
  readonly named: boolean;
};

function Used({ line: { sequence, authorized, unit }, count, named }: UsedProps) {
  const text = usedText({ used: count, authorized, unit });
  return (
    <div className="grid gap-1">
      <span>
        {named && `Service ${sequence}: `}
        <strong className={count >= authorized ? "font-semibold text-bad" : "font-semibold"}>{text}</strong>
      </span>
      <meter min={0} max={authorized} value={Math.min(count, authorized)} aria-label={text} className={meterBar} />
    </div>
  );
}
