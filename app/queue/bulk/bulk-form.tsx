"use client";

import { nearHours } from "#lib/queue/model/snooze";
import Link from "next/link";
import { useEffect, useRef, type ReactNode } from "react";
import { refusedAnswer, type ActAnswer } from "#components/form/act-answer";
import { ActBody, ActButtons, ActProblem, ActSelect, ActText, ActTextArea, useAct } from "#components/form/act-form";
import { ButtonLink } from "#components/form/button";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { SubmitButton } from "#components/form/submit-button";
import { unansweredText } from "#components/form/tried";
import type { BulkAct } from "#lib/queue/chosen-cases";
import { assignSeveral, declineSeveral, releaseSeveral, snoozeSeveral } from "./actions.ts";
import type { BulkAnswer, Outcome } from "./answer.ts";

type Option = { readonly value: string; readonly text: string };

/** Until when cases can be snoozed, and the zone that a time is typed in. */
type Snoozing = { readonly choices: readonly Option[]; readonly zone: string };

type Props = {
  readonly act: BulkAct;
  readonly title: string;
  /** The list the cases were chosen in. */
  readonly back: string;
  /** The cases it is about, each as it was shown. */
  readonly items: readonly string[];
  /** What the button does, where its words do not say all of it. */
  readonly effect: string | undefined;
  readonly reviewers: readonly { readonly id: string; readonly name: string }[];
  readonly reasons: readonly Option[];
  readonly snoozing: Snoozing;
  /** The list of them. */
  readonly children: ReactNode;
};

const actions = {
  assign: assignSeveral,
  snooze: snoozeSeveral,
  decline: declineSeveral,
  release: releaseSeveral,
} as const satisfies Record<BulkAct, unknown>;

/** The last look before something is done with several cases, and then what became of each. */
export function BulkForm({ act, title, back, items, effect, reviewers, reasons, snoozing, children }: Props) {
  const [answer, submit] = useAct<BulkAnswer>(actions[act], { without: unanswered });
  if (answer.outcomes) return <Outcomes list={answer.outcomes} back={back} />;
  return (
    <>
      <PageHeader title={title} />
      {children}
      {items.length > 0 && (
        <ActBody answer={answer} submit={submit} data-form={act} className="grid max-w-md gap-3.5">
          <ActProblem name="item" />
          {items.map((item) => (
            <input key={item} type="hidden" name="item" value={item} />
          ))}
          {act === "assign" && <AssignField reviewers={reviewers} />}
          {act === "snooze" && <SnoozeFields {...snoozing} />}
          {act === "decline" && <DeclineFields reasons={reasons} />}
          {effect !== undefined && <p className="text-sm text-ink-soft">{effect}</p>}
          <ActButtons>
            <SubmitButton
              tone={act === "release" ? "release" : act === "decline" ? "danger" : "primary"}
              shortcut={act.slice(0, 1)}
            >
              {title}
            </SubmitButton>
          </ActButtons>
        </ActBody>
      )}
    </>
  );
}

function unanswered(form: FormData, reference: string | undefined): ActAnswer {
  const text = unansweredText("Press the button again: of each case it counts once.", reference);
  return refusedAnswer(form, { alert: `No answer came. ${text}`, problems: {} });
}

function AssignField({ reviewers }: Pick<Props, "reviewers">) {
  const options = [...reviewers.map(({ id, name }) => ({ value: id, text: name })), { value: "", text: "Unassigned" }];
  return <ActSelect label="Assign to" name="to" options={options} />;
}

function SnoozeFields({ choices, zone }: Snoozing) {
  return (
    <div className="group/snooze grid gap-3.5">
      <input type="hidden" name="zone" value={zone} />
      <ActSelect
        label="Snooze until"
        name="choice"
        options={choices}
        defaultValue="tomorrow"
        hint={`For everyone in the practice. Each wakes when anything changes on it, and ${nearHours} hours before it is due.`}
      />
      <div className="hidden group-has-[option[value=at]:checked]/snooze:block">
        <ActText
          label="Date and time"
          name="at"
          type="datetime-local"
          hint={`Time zone: ${zone.replaceAll("_", " ")}`}
        />
      </div>
    </div>
  );
}

function DeclineFields({ reasons }: Pick<Props, "reasons">) {
  return (
    <>
      <ActSelect
        label="Decline reason for all of them"
        name="code"
        options={[{ value: "", text: "Select" }, ...reasons]}
        defaultValue=""
      />
      <ActTextArea
        label="Reason"
        name="reason"
        rows={2}
        maxLength={4000}
        hint="Optional. Shared with the agent of each case."
      />
    </>
  );
}

/** What became of each; those that did not go through first. */
function Outcomes({ list, back }: { readonly list: readonly Outcome[]; readonly back: string }) {
  const here = useRef<HTMLDivElement>(null);
  useEffect(() => here.current?.focus(), []);
  const done = list.filter((outcome) => outcome.done);
  const others = list.filter((outcome) => !outcome.done);
  return (
    <div ref={here} role="status" tabIndex={-1} className="grid max-w-2xl gap-5 outline-none">
      <PageHeader title={`${done.length} of ${list.length} went through`} />
      {others.length > 0 && (
        <Notice tone="warn" title={others.length === 1 ? "One did not" : `${others.length} did not`}>
          <OutcomeList list={others} />
        </Notice>
      )}
      {done.length > 0 && <OutcomeList list={done} />}
      <div>
        <ButtonLink href={back}>Back to the queue</ButtonLink>
      </div>
    </div>
  );
}

function OutcomeList({ list }: { readonly list: readonly Outcome[] }) {
  return (
    <ul className="grid gap-1">
      {list.map(({ taskId, shortId, text }) => (
        <li key={taskId}>
          <Link href={`/tasks/${taskId}`} prefetch={false} className="font-mono font-semibold underline">
            {shortId}
          </Link>{" "}
          {text}
        </li>
      ))}
    </ul>
  );
}
