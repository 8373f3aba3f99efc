"use client";

import { createContext, use, useActionState, useEffect, useRef, type ComponentProps, type ReactNode } from "react";
import {
  noAnswer,
  refusedAnswer,
  withoutSecrets,
  type ActAnswer,
  type ProofKind,
  type SecretText,
} from "./act-answer.tsx";
import { CheckboxField, SelectField, TextArea, TextField } from "./field.tsx";
import { Notice } from "#components/shell/notice";
import { ProofField } from "./proof-field.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { tried, unansweredText } from "./tried.tsx";

const AnswerContext = createContext<ActAnswer>(noAnswer);

type Props = {
  readonly act: (before: ActAnswer, form: FormData) => Promise<ActAnswer>;
  readonly className?: string | undefined;
  /** How whoever looks at it will have to prove who they are, where that is known before it is sent. */
  readonly asks?: ProofKind | undefined;
  /** What it is for: the keys and the palette find it by this. */
  readonly "data-form"?: string | undefined;
  readonly children: ReactNode;
};

/** A form for one act. What the server refuses stands above it, with everything typed still in place. */
export function ActForm({ act, asks, className = "grid gap-3.5", children, ...rest }: Props) {
  const [answer, submit] = useActionState(tried(act, unanswered), noAnswer);
  const here = useRef<HTMLFormElement>(null);
  useEffect(() => focusProblem(here.current), [answer]);
  return (
    <AnswerContext value={answer}>
      <form ref={here} action={submit} className={className} {...rest}>
        <ActAlert answer={answer} />
        {answer.secret !== undefined && <Secret text={answer.secret} about={answer.secretText} />}
        {answer.recoveryCodes !== undefined && <RecoveryCodes codes={answer.recoveryCodes} />}
        <Proof answer={answer} ahead={asks} />
        {children}
      </form>
    </AnswerContext>
  );
}

/** Not every act may be done twice, so that nobody is told to press again. */
function unanswered(form: FormData, reference: string | undefined): ActAnswer {
  const text = unansweredText("Look in another tab whether it was done.", reference);
  const secret = [...document.querySelectorAll<HTMLInputElement>("input[type=password]")].map(({ name }) => name);
  return withoutSecrets(refusedAnswer(form, { alert: `No answer came. ${text}`, problems: {} }), secret);
}

/** A passkey sends again what was sent before, and never what is still to be filled in. */
function Proof({ answer, ahead }: { readonly answer: ActAnswer; readonly ahead: ProofKind | undefined }) {
  const kind = answer.asks ?? ahead;
  return kind && <ProofField key={answer.alert} kind={kind} submits={answer.asks !== undefined} />;
}

/** Leads to the first field with a problem, or to the alert if no field has one. */
function focusProblem(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>("[aria-invalid=true]");
  (field ?? form?.querySelector<HTMLElement>(":scope > [role=alert]"))?.focus();
}

function ActAlert({ answer }: { readonly answer: ActAnswer }) {
  if (answer.alert === undefined) return null;
  return (
    <Notice tone="bad" role="alert" tabIndex={-1}>
      {answer.alert}
    </Notice>
  );
}

const keyText: SecretText = {
  title: "This is the only time the key is shown",
  text: "Copy it now to where the agent reads it. Only a hash of it is kept here.",
  label: "New key",
};

/** The one time a secret is on a page; it is in no address and in no history. */
type SecretProps = { readonly text: string; readonly about: SecretText | undefined };

function Secret({ text, about = keyText }: SecretProps) {
  const here = useRef<HTMLInputElement>(null);
  useEffect(() => here.current?.select(), [text]);
  return (
    <Notice tone="good" role="status" title={about.title}>
      <p className="mb-2.5">{about.text}</p>
      <TextField
        ref={here}
        label={about.label}
        readOnly
        value={text}
        spellCheck={false}
        autoComplete="off"
        className="font-mono text-xs"
      />
    </Notice>
  );
}

/** A line of text that keeps what was typed and says what was wrong with it. */
export function ActText({ name, defaultValue, ...rest }: ComponentProps<typeof TextField> & { readonly name: string }) {
  const { typed, problems } = use(AnswerContext);
  // A password is never sent back, so that one with a problem is empty now.
  const required = rest.required === true || (rest.type === "password" && problems[name] !== undefined);
  const shown = { defaultValue: typed?.[name]?.[0] ?? defaultValue, error: problems[name] };
  return <TextField name={name} {...shown} {...rest} required={required} />;
}

/** Several lines of text, kept likewise. */
export function ActTextArea({
  name,
  defaultValue,
  ...rest
}: ComponentProps<typeof TextArea> & { readonly name: string }) {
  const { typed, problems } = use(AnswerContext);
  return <TextArea name={name} defaultValue={typed?.[name]?.[0] ?? defaultValue} error={problems[name]} {...rest} />;
}

export function ActSelect({
  name,
  defaultValue,
  ...rest
}: ComponentProps<typeof SelectField> & { readonly name: string; readonly defaultValue?: string }) {
  const { typed, problems } = use(AnswerContext);
  const chosen = typed?.[name]?.[0] ?? defaultValue;
  return <SelectField key={chosen} name={name} defaultValue={chosen} error={problems[name]} {...rest} />;
}

type Box = { readonly value: string; readonly label: string; readonly hint?: ReactNode | undefined };
type BoxesProps = {
  readonly name: string;
  readonly list: readonly Box[];
  readonly ticked?: readonly string[] | undefined;
};

/** Boxes with one name; the ticked ones are sent. */
export function ActBoxes({ name, list, ticked = [] }: BoxesProps) {
  const { typed } = use(AnswerContext);
  const chosen = typed === undefined ? ticked : (typed[name] ?? []);
  return list.map(({ value, label, hint }) => (
    <CheckboxField
      key={value}
      name={name}
      value={value}
      label={label}
      hint={hint}
      defaultChecked={chosen.includes(value)}
    />
  ));
}

/** One box of several with one name, where a table names it: by its row and its column. */
export function ActTick({
  name,
  value,
  label,
  ticked = false,
}: {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly ticked?: boolean | undefined;
}) {
  const { typed } = use(AnswerContext);
  const chosen = typed === undefined ? ticked : (typed[name] ?? []).includes(value);
  return (
    <label className="-m-2 inline-flex p-2">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={chosen}
        className="mt-0.5 size-4 accent-inverse"
      />
    </label>
  );
}

/** What is wrong with a part of the form that is no single field. */
export function ActProblem({ name }: { readonly name: string }) {
  const { problems } = use(AnswerContext);
  return problems[name] === undefined ? null : <p className="text-sm font-semibold text-bad">{problems[name]}</p>;
}
