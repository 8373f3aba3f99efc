"use client";

import Link from "next/link";
import { useActionState, useEffect, useRef, type ReactNode } from "react";
import { refusedAnswer } from "#components/form/act-answer";
import { ButtonLink } from "#components/form/button";
import { SelectField, TextArea, TextField } from "#components/form/field";
import { Notice } from "#components/shell/notice";
import { PageHeader } from "#components/shell/page-header";
import { SubmitButton } from "#components/form/submit-button";
import { tried, unansweredText } from "#components/form/tried";
import type { BulkAct } from "#lib/queue/chosen-cases";
import { assignSeveral, declineSeveral, releaseSeveral, snoozeSeveral } from "./actions.ts";
import { noBulkAnswer, type BulkAnswer, type Outcome } from "./answer.ts";

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
export function BulkForm({ act, title, back, items, reviewers, reasons, snoozing, children }: Props) {
  const [answer, submit, pending] = useActionState(tried<BulkAnswer>(actions[act], unanswered), noBulkAnswer);
  if (answer.outcomes) return <Outcomes list={answer.outcomes} back={back} />;
  return (
    <>
      <PageHeader title={title} />
      {children}
      {items.length > 0 && (
        <form
          action={submit}
          data-form={act}
          onSubmit={(event) => pending && event.preventDefault()}
          className="grid max-w-md gap-3.5"
        >
          <BulkAlert answer={answer} />
          {items.map((item) => (
            <input key={item} type="hidden" name="item" value={item} />
          ))}
          {act === "assign" && <AssignField reviewers={reviewers} answer={answer} />}
          {act === "snooze" && <SnoozeFields {...snoozing} answer={answer} />}
          {act === "decline" && <DeclineFields reasons={reasons} answer={answer} />}
          <div>
            <SubmitButton
              tone={act === "release" ? "release" : act === "decline" ? "danger" : "primary"}
              shortcut={act.slice(0, 1)}
            >
              {title}
            </SubmitButton>
          </div>
        </form>
      )}
    </>
  );
}

function unanswered(form: FormData, reference: string | undefined): BulkAnswer {
  const text = unansweredText("Press the button again: of each case it counts once.", reference);
  return refusedAnswer(form, { alert: `No answer came. ${text}`, problems: {} });
}

type FieldsProps = { readonly answer: BulkAnswer };

function AssignField({ reviewers, answer }: FieldsProps & Pick<Props, "reviewers">) {
  const options = [...reviewers.map(({ id, name }) => ({ value: id, text: name })), { value: "", text: "Unassigned" }];
  return <SelectField label="Assign to" name="to" options={options} defaultValue={answer.typed?.to?.[0]} />;
}

function SnoozeFields({ choices, zone, answer }: FieldsProps & Snoozing) {
  const choice = answer.typed?.choice?.[0] ?? "tomorrow";
  return (
    <div className="group/snooze grid gap-3.5">
      <input type="hidden" name="zone" value={zone} />
      <SelectField
        key={choice}
        label="Snooze until"
        name="choice"
        options={choices}
        defaultValue={choice}
        hint="For everyone in the practice. Each wakes when anything changes on it, and 4 hours before it is due."
      />
      <div className="hidden group-has-[option[value=at]:checked]/snooze:block">
        <TextField
          label="Date and time"
          name="at"
          type="datetime-local"
          hint={`Time zone: ${zone.replaceAll("_", " ")}`}
          defaultValue={answer.typed?.at?.[0]}
          error={answer.problems.at}
        />
      </div>
    </div>
  );
}

function DeclineFields({ reasons, answer }: FieldsProps & Pick<Props, "reasons">) {
  const code = answer.typed?.code?.[0] ?? "";
  return (
    <>
      <SelectField
        key={code}
        label="Decline reason for all of them"
        name="code"
        options={[{ value: "", text: "–" }, ...reasons]}
        defaultValue={code}
        error={answer.problems.code}
      />
      <TextArea
        label="Reason"
        name="reason"
        rows={2}
        maxLength={4000}
        hint="Optional. Shared with the agent of each case."
        defaultValue={answer.typed?.reason?.[0]}
        error={answer.problems.reason}
      />
    </>
  );
}

function BulkAlert({ answer }: FieldsProps) {
  const here = useRef<HTMLDivElement>(null);
  const alert = answer.alert ?? answer.problems.item;
  useEffect(() => {
    if (alert !== undefined) here.current?.focus();
  }, [answer, alert]);
  if (alert === undefined) return null;
  return (
    <Notice ref={here} tone="bad" role="alert" tabIndex={-1}>
      {alert}
    </Notice>
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
