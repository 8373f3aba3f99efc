"use client";

import { createContext, use, useActionState, useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { noAnswer } from "#components/form/act-answer";
import { dropDrafts } from "#components/form/drafts";
import { Changes } from "#components/list/changes";
import { Notice } from "#components/shell/notice";
import { Busy } from "#components/form/submit-button";
import { QuotedText } from "#components/text/plain-text";
import { tried } from "#components/form/tried";
import type { DeskStatus } from "#lib/queue/desk-status";
import type { AppealTerms } from "#lib/task/model/recourse";
import type { CaseView, Possible } from "#lib/task/views";
import { decide } from "./actions.ts";
import { isEcho, noteArrival } from "./echo.ts";
import { AtWork, type Place } from "../header/at-work.tsx";
import { isRefused, standingId, typedIn, unanswered, type DecisionAnswer } from "./answer.ts";

/** The case as this page shows it; every decision names it, so that nothing unseen is decided. */
export type ShownCase = {
  readonly taskId: string;
  readonly gateId?: string | undefined;
  readonly revision: number;
  readonly digest?: string | undefined;
  readonly changedAt: string;
  /** The determination in force. */
  readonly determinationId?: string | undefined;
  /** Until when and how it can be contested. */
  readonly appeal?: AppealTerms | undefined;
  readonly can: readonly Possible[];
  /** The warnings a release says why it goes over, by their keys and in a few words. */
  readonly warnings: readonly { readonly key: string; readonly brief: string }[];
  /** The lines the payer answers. */
  readonly requested: CaseView["requested"];
  /** The time zone in which times are shown and typed. */
  readonly zone: string;
  /** By the server's clock, when the page was made. */
  readonly nowMs: number;
  /** Made with the page; what is decided with it is decided once. */
  readonly key: string;
  /** The list that the case was opened from, and its place there: the next case is looked for from it. */
  readonly list?: string | undefined;
  readonly place?: string | undefined;
};

type Decision = {
  readonly shown: ShownCase;
  readonly personId: string;
  readonly answer: DecisionAnswer;
  readonly submit: (form: FormData) => void;
  readonly pending: boolean;
  /** The form whose answer is awaited. */
  readonly pressed: Possible | undefined;
  readonly onPress: (intent: Possible) => void;
  /** The decision did not go through, so the focus stays with what is said about it. */
  readonly onRefused: () => void;
};

const DecisionContext = createContext<Decision | undefined>(undefined);

type DeskProps = {
  readonly shown: ShownCase;
  readonly now: DeskStatus;
  readonly place: Place;
  readonly children: ReactNode;
};

/** Holds what the server last said about a decision on this case, for the alert and for every form. */
export function DecisionDesk({ shown, now, place, children }: DeskProps) {
  const { changedAt } = shown;
  const { personId } = place;
  const act = tried<DecisionAnswer>(decide, (form, reference) => unanswered(form, changedAt, reference));
  const [answer, submit, pending] = useActionState(act, noAnswer);
  const [pressed, setPressed] = useState<Possible>();
  /** The last change of the case when the last button was pressed. */
  const pressedAt = useRef<string>(undefined);
  useEffect(() => {
    if (pressedAt.current === undefined || pressedAt.current === changedAt) return;
    pressedAt.current = undefined;
    document.getElementById(standingId)?.focus();
  });
  const openGate = shown.can.includes("decline") ? shown.gateId : undefined;
  useEffect(() => dropDrafts({ but: { personId, gateId: openGate } }), [personId, openGate]);
  useEffect(() => noteArrival(shown.taskId), [shown.taskId]);
  const onPress = (intent: Possible) => {
    pressedAt.current = changedAt;
    setPressed(intent);
  };
  const onRefused = useCallback(() => {
    pressedAt.current = undefined;
  }, []);
  const pinned = { ...shown, key: usePinned(shown) };
  const desk = { shown: pinned, personId, answer, submit, pending, pressed, onPress, onRefused };
  return (
    <DecisionContext value={desk}>
      <AtWork place={place} now={now}>
        {children}
      </AtWork>
    </DecisionContext>
  );
}

/** The key of the page as it was first drawn: drawn again it stays the same until the case has changed. */
function usePinned({ key, changedAt }: ShownCase): string {
  const [pinned, pin] = useState({ key, changedAt });
  if (pinned.changedAt === changedAt) return pinned.key;
  pin({ key, changedAt });
  return key;
}

/** What the server said to the last decision, above the forms; it takes the focus, and so is read. */
export function DecisionAlert() {
  const { answer, shown, onRefused } = useDecision();
  const here = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isRefused(answer)) return;
    onRefused();
    const field = invalidField(answer);
    if (field) return field.focus();
    // A long list of changes would be scrolled to its middle.
    here.current?.focus({ preventScroll: true });
    here.current?.scrollIntoView({ block: "start" });
  }, [answer, onRefused]);
  const isOld = answer.caseChangedAt !== undefined && shown.changedAt > answer.caseChangedAt;
  if (!isRefused(answer) || isOld) return null;
  const { title, alert = "That was not understood. Nothing was done.", changes = [] } = answer;
  const lost = shown.can.some((possible) => possible === answer.typed?.intent?.[0]) ? undefined : typedText(answer);
  return (
    <Notice ref={here} tone="bad" role="alert" tabIndex={-1} title={title}>
      {alert !== "" && <p>{alert}</p>}
      {changes.length > 0 && (
        <div className="mt-2">
          <Changes list={changes} caption="What changed since you opened this page" />
        </div>
      )}
      {lost !== undefined && (
        <div className="mt-2">
          <p className="text-sm">What you typed</p>
          <QuotedText>{lost}</QuotedText>
        </div>
      )}
    </Notice>
  );
}

/** The first field that the server said something is wrong with, if it did. */
function invalidField({ typed, problems }: DecisionAnswer): HTMLElement | undefined {
  if (Object.keys(problems).length === 0) return undefined;
  const form = document.querySelector<HTMLFormElement>(`form[data-form="${CSS.escape(typed?.intent?.[0] ?? "")}"]`);
  const fields = form ? [...form.elements] : [];
  return fields.find((one): one is HTMLElement => one instanceof HTMLElement && one.ariaInvalid === "true");
}

/** The words of a person, where the form that held them is gone. */
function typedText({ typed }: DecisionAnswer): string | undefined {
  return ["why", "reason", "question", "reply", "informationRequest", "evidence"]
    .map((name) => typed?.[name]?.[0])
    .find((text) => text?.trim());
}

type FormProps = { readonly intent: Possible; readonly children: ReactNode };

/** One decision: its fields and its button. Works as a plain form; while one is under way no other starts. */
export function DecisionForm({ intent, children }: FormProps) {
  const { shown, answer, submit, pending, onPress, pressed } = useDecision();
  const { taskId, gateId, revision, digest, changedAt, determinationId, zone, key, list, place } = shown;
  return (
    <form
      id={formIdOf(intent)}
      action={submit}
      data-form={intent}
      data-refused={answer.typed?.intent?.[0] === intent ? "" : undefined}
      onClickCapture={(event) => {
        const isPress = event.target instanceof Element && event.target.closest("button[type=submit]") !== null;
        if (isPress && isEcho(taskId, event)) event.preventDefault();
      }}
      onSubmit={(event) => (pending ? event.preventDefault() : onPress(intent))}
      className="grid gap-3"
    >
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="key" value={key} />
      <input type="hidden" name="taskId" value={taskId} />
      <input type="hidden" name="revision" value={revision} />
      <input type="hidden" name="changedAt" value={changedAt} />
      <input type="hidden" name="zone" value={zone} />
      {determinationId !== undefined && <input type="hidden" name="determinationId" value={determinationId} />}
      {gateId !== undefined && <input type="hidden" name="gateId" value={gateId} />}
      {digest !== undefined && <input type="hidden" name="digest" value={digest} />}
      {list !== undefined && <input type="hidden" name="list" value={list} />}
      {place !== undefined && <input type="hidden" name="place" value={place} />}
      <Busy value={pending}>{children}</Busy>
      <p role="status" className="text-sm text-ink-soft empty:hidden">
        {pending && pressed === intent && "Recording your decision…"}
      </p>
    </form>
  );
}

/** What a field belongs to its form by, where it stands elsewhere on the page. */
export function formIdOf(intent: Possible): string {
  return `decision-${intent}`;
}

/** What is in a field of a form, and why the server refused it. */
export type Field = {
  readonly name: string;
  readonly defaultValue: string | undefined;
  readonly error: string | undefined;
};

/** Gives each field of this form by its name, with what is wrong with it. A field has `value` in it until somebody types. */
export function useFields(intent: Possible): (name: string, value?: string) => Field {
  const { answer, shown } = useDecision();
  const isOld = answer.caseChangedAt !== undefined && shown.changedAt > answer.caseChangedAt;
  const isOwnAnswer = answer.typed?.intent?.[0] === intent && !isOld;
  return (name, value) => ({
    name,
    defaultValue: typedIn(answer, intent, name) ?? value,
    error: isOwnAnswer ? answer.problems[name] : undefined,
  });
}

export function useDecision(): Decision {
  const decision = use(DecisionContext);
  if (!decision) throw new Error("A decision form stands outside its desk.");
  return decision;
}
