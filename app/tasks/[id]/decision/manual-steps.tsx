import { Check } from "lucide";
import type { ReactNode } from "react";
import { ButtonLink } from "#components/form/button";
import { Facts } from "#components/list/facts";
import { classNames } from "#components/shell/class-names";
import { Icon } from "#components/shell/icon";
import { PlainText, QuotedText } from "#components/text/plain-text";
import { manualTexts, noNumberText } from "#lib/messages/reviewer/manual";
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
  const { title } = manualTexts[view.gate?.action ?? "transmit"];
  return (
    <section aria-label={title} className="rounded-md border border-line bg-surface p-4">
      <h3 className="mb-4 font-semibold">{title}</h3>
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
  const { can, gate, taskId, connector, state } = view;
  const isVoid = gate?.action === "void";
  const { startStep } = manualTexts[gate?.action ?? "transmit"];
  const open = <ButtonLink href={`/tasks/${taskId}/packet`}>Open packet</ButtonLink>;
  // A void that is recorded as submitted is done; of a request, the payer's decision is still to come.
  const later: readonly Step[] = isVoid ? [] : [{ name: "Record the determination", is: "later" }];
  if (can.includes("start-manual-submission")) {
    return [
      { name: "Read the packet", is: "now", body: <WhatToSubmit view={view}>{open}</WhatToSubmit> },
      { name: startStep, is: "now", body: <StartSubmissionForm action={isVoid ? "void" : "transmit"} /> },
      { name: "Record the result", is: "later" },
      ...later,
    ];
  }
  if (gate?.manual && can.includes("report-sent")) {
    return [
      { name: "Read the packet", is: "done", body: isVoid ? <WhatToSubmit view={view}>{open}</WhatToSubmit> : open },
      { name: startStep, is: "done" },
      { name: "Record the result", is: "now", body: <ManualResult action={gate.action} /> },
      ...later,
    ];
  }
  if (connector === "manual" && state === "transmitted" && can.includes("record-determination")) {
    return [
      { name: "Read the packet", is: "done" },
      { name: "Submit it", is: "done" },
      { name: "Record the determination", is: "now", body: <DeterminationForm /> },
    ];
  }
  return [];
}

type WhatProps = { readonly view: CaseView; readonly children: ReactNode };

/** What was released and to whom it goes; of a void, what it takes away, which the payer is told by its number. */
function WhatToSubmit({ view, children }: WhatProps) {
  const { gate, attachments, determinations } = view;
  const payer = <PlainText>{receiverOf(view).name}</PlainText>;
  if (gate?.action !== "void") {
    return (
      <>
        <p className="text-sm text-ink-soft">
          Submit exactly what was released, the request{documentsText(attachments.length)}, to {payer}.
        </p>
        {children}
      </>
    );
  }
  const number = determinations.at(-1)?.authorizationNumber;
  return (
    <>
      <p className="text-sm text-ink-soft">Ask {payer} to void it. Don&rsquo;t submit the request again.</p>
      <Facts
        slim
        list={[
          {
            name: "Authorization number",
            value:
              number === undefined ? (
                noNumberText(determinations.length > 0)
              ) : (
                <span className="font-mono">
                  <PlainText>{number}</PlainText>
                </span>
              ),
          },
          gate.purpose === undefined
            ? undefined
            : { name: "Reason for the void", value: <QuotedText>{gate.purpose}</QuotedText> },
        ]}
      />
      {children}
    </>
  );
}

function documentsText(count: number): string {
  if (count === 0) return "";
  return count === 1 ? " and its document" : ` and its ${count} documents`;
}
