import type { ReactNode } from "react";
import { classNames } from "#components/shell/class-names";
import { PlainText } from "#components/text/plain-text";
import { Time } from "#components/text/time";
import { caseActorText } from "#lib/messages/reviewer/case-acts";
import { timelineSteps, type StepTone } from "#lib/messages/reviewer/timeline";
import type { CaseView } from "#lib/task/views";
import { caseAddress } from "../case-address.ts";
import { stepTimes } from "./step-times.ts";

/** The most steps that are shown; the history has all of them. */
const stepsMax = 8;

/** What happened to the case so far, in the few steps that matter, and what the payer still has to do. */
export function Timeline({ view }: { readonly view: CaseView }) {
  const { history, taskId, clock } = view;
  const steps = stepTimes(timelineSteps(history), view);
  const due = clock && clock.legal.known && !clock.stoppedAt ? clock.legal.dueAt : undefined;
  return (
    <section
      aria-label="Timeline"
      // A part before it that has nothing to show is there as an empty element.
      className="border-line [:not(:empty)~&]:border-t [:not(:empty)~&]:pt-4"
    >
      <h3 className="mb-3 text-xs font-semibold text-ink-faint">Timeline</h3>
      <ol className="grid gap-3">
        {steps.slice(-stepsMax).map(({ text, at, actor, tone }, index) => (
          <Step key={index} tone={tone}>
            <p className="font-semibold">{text}</p>
            <p className="text-sm text-ink-soft">
              <Time at={at} />, <PlainText>{caseActorText(actor)}</PlainText>
            </p>
          </Step>
        ))}
        {due && (
          <Step tone="next">
            <p className="text-ink-soft">Payer decision due</p>
            <p className="text-sm text-ink-soft">
              <Time at={due} />
            </p>
          </Step>
        )}
      </ol>
      <p className="mt-3 text-sm">
        <a href={caseAddress(taskId, { tab: "details", detail: "history" })} className="text-ink-soft underline">
          Full history
        </a>
      </p>
    </section>
  );
}

const dots: Readonly<Record<StepTone, string>> = {
  plain: "bg-line-strong",
  good: "bg-good",
  bad: "bg-bad",
  warn: "bg-warn",
  next: "border-2 border-line-strong bg-surface",
};

/** One step with its dot, and the line that leads on to the next. */
function Step({ tone, children }: { readonly tone: StepTone; readonly children: ReactNode }) {
  return (
    <li className="group relative grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2">
      <span aria-hidden className="absolute start-[0.3125rem] top-4 -bottom-4 w-px bg-line group-last:hidden" />
      <span aria-hidden className={classNames("mt-1.5 size-2.5 justify-self-start rounded-full", dots[tone])} />
      <div>{children}</div>
    </li>
  );
}
