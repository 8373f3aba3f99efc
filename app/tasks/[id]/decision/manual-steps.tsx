import { Check } from "lucide";
import type { ReactNode } from "react";
import { ButtonLink } from "#components/form/button";
import { classNames } from "#components/shell/class-names";
import { Icon } from "#components/shell/icon";
import { PlainText } from "#components/text/plain-text";
import { receiverOf } from "#lib/messages/reviewer/connection";
import type { CaseView } from "#lib/task/views";
import { DeterminationForm } from "./determination-form.tsx";
import { StartSubmissionForm, ManualResult } from "./manual-forms.tsx";

type Step = {
  readonly name: string;
  readonly is: "done" | "now" | "later";
  readonly body?: ReactNode | undefined;
};

/** A manual submission from the packet to the determination: the step at hand is open, the others are named. */
export function ManualSteps({ view }: { readonly view: CaseView }) {
  const steps = stepsOf(view);
  if (steps.length === 0) return null;
  return (
    <section aria-label="Manual submission" className="rounded-md border border-line bg-surface p-4">
      <ol className="grid gap-4">
        {steps.map(({ name, is, body }, index) => (
          <li
            key={name}
            aria-current={is === "now" ? "step" : undefined}
            className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-3"
          >
            <span
              aria-hidden
              className={classNames(
                "grid size-6 place-items-center rounded-full text-xs font-bold",
                is === "now" ? "bg-inverse text-on-inverse" : "bg-selected text-ink-soft",
              )}
            >
              {is === "done" ? <Icon of={Check} size={14} /> : index + 1}
            </span>
            <div className="grid gap-3 pt-0.5">
              <p className={is === "now" ? "font-semibold" : "text-ink-soft"}>
                {name}
                {is === "done" && <span className="sr-only"> (done)</span>}
              </p>
              {body}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function stepsOf(view: CaseView): readonly Step[] {
  const { can, gate, taskId, attachments, connector, state } = view;
  const isVoid = gate?.action === "void";
  const what = isVoid ? "the void" : "the request";
  const files =
    isVoid || attachments.length === 0
      ? ""
      : attachments.length === 1
        ? " and its document"
        : ` and its ${attachments.length} documents`;
  const packet = (
    <>
      <p className="text-sm text-ink-soft">
        Submit exactly what was released, {what}
        {files}, to <PlainText>{receiverOf(view).name}</PlainText>.
      </p>
      <ButtonLink href={`/tasks/${taskId}/packet`}>Open packet</ButtonLink>
    </>
  );
  const last: Step = { name: isVoid ? "Record the payer's confirmation" : "Record the determination", is: "later" };
  if (can.includes("start-manual-submission")) {
    return [
      { name: "Read the packet", is: "now", body: packet },
      { name: "Start the submission", is: "now", body: <StartSubmissionForm /> },
      { name: "Record the result", is: "later" },
      last,
    ];
  }
  if (gate?.manual && can.includes("report-sent")) {
    return [
      {
        name: "Read the packet",
        is: "done",
        body: <ButtonLink href={`/tasks/${taskId}/packet`}>Open packet</ButtonLink>,
      },
      { name: "Start the submission", is: "done" },
      { name: "Record the result", is: "now", body: <ManualResult /> },
      last,
    ];
  }
  if (connector === "manual" && state === "transmitted" && can.includes("record-determination")) {
    return [
      { name: "Read the packet", is: "done" },
      { name: "Submit it", is: "done" },
      { ...last, is: "now", body: <DeterminationForm /> },
    ];
  }
  return [];
}
