"use client";

import {
  createContext,
  use,
  useActionState,
  useEffect,
  useId,
  useRef,
  type ComponentProps,
  type ReactNode,
} from "react";
import { noAnswer, refusedAnswer, withoutSecrets, type ActAnswer, type ProofKind } from "./act-answer.tsx";
import { CheckboxField } from "./choice-fields.tsx";
import { SelectField, TextArea, TextField } from "./field.tsx";
import { Notice } from "#components/shell/notice";
import { ProofField } from "./proof-field.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { ReviewBox } from "./review-box.tsx";
import { SecretDialog } from "./secret-dialog.tsx";
import { tried, unansweredText } from "./tried.tsx";

const AnswerContext = createContext<ActAnswer>(noAnswer);
const AheadContext = createContext<Ahead>({});

/** What a form asks for before it was ever sent. */
type Ahead = {
  readonly asks?: ProofKind | undefined;
  /** The form is for nothing but the proof: a passkey sends it. */
  readonly isProof?: boolean | undefined;
};

/** What the form that a part stands in was last answered. */
export function useAnswer(): ActAnswer {
  return use(AnswerContext);
}

export type Act = (before: ActAnswer, form: FormData) => Promise<ActAnswer>;

type AnswerWithout = (form: FormData, reference: string | undefined) => ActAnswer;

/**
 * A form's act, with the last answer to it. `without` makes the answer where none came; `onLeave` is called where the act
 * leads to another page.
 */
export function useAct<Answer extends ActAnswer = ActAnswer>(
  act: (before: ActAnswer, form: FormData) => Promise<Answer>,
  { without = unanswered, onLeave }: { readonly without?: AnswerWithout; readonly onLeave?: () => void } = {},
): readonly [Answer, (form: FormData) => void] {
  const [answer, submit] = useActionState(tried<ActAnswer>(act, without, onLeave), noAnswer);
  // Safe because what a form's answer has beyond every form's may be missing.
  return [answer as Answer, submit];
}

type BodyProps = {
  readonly answer: ActAnswer;
  readonly submit: (form: FormData) => void;
  readonly className?: string | undefined;
  /** How whoever looks at it will have to prove who they are, where that is known before it is sent. */
  readonly asks?: ProofKind | undefined;
  /** The form is for nothing but that. */
  readonly isProof?: boolean | undefined;
  /** What it is for: the keys and the palette find it by this. */
  readonly "data-form"?: string | undefined;
  readonly children: ReactNode;
};

type Props = Omit<BodyProps, "answer" | "submit"> & { readonly act: Act };

/**
 * A form for one act. What the server refuses stands in it, with everything typed still in place; a secret that it made
 * stands above the page.
 */
export function ActForm({ act, ...rest }: Props) {
  const [answer, submit] = useAct(act);
  return (
    <>
      <ActBody answer={answer} submit={submit} {...rest} />
      <SecretDialog answer={answer} />
    </>
  );
}

/** The form itself, for who keeps the answer. */
export function ActBody({ answer, submit, asks, isProof, className = "grid gap-4", children, ...rest }: BodyProps) {
  const here = useRef<HTMLFormElement>(null);
  // A form that was never sent has no problem to lead to, and its last field is no place to begin at.
  useEffect(() => {
    if (answer !== noAnswer) focusProblem(here.current);
  }, [answer]);
  return (
    <AnswerContext value={answer}>
      <form ref={here} action={submit} data-refused={answer.typed && ""} className={className} {...rest}>
        <ActAlert answer={answer} />
        {answer.recoveryCodes !== undefined && <RecoveryCodes codes={answer.recoveryCodes} />}
        {/* What led to a secret is done: its fields below would invite to do it again. */}
        {answer.secret === undefined && <AheadContext value={{ asks, isProof }}>{children}</AheadContext>}
      </form>
    </AnswerContext>
  );
}

/** Not every act may be done twice, so nobody is told to press again. */
function unanswered(form: FormData, reference: string | undefined): ActAnswer {
  const text = unansweredText("Check in another tab whether it was saved.", reference);
  const secret = [...document.querySelectorAll<HTMLInputElement>("input[type=password]")].map(({ name }) => name);
  return withoutSecrets(refusedAnswer(form, { alert: `No answer came. ${text}`, problems: {} }), secret);
}

/**
 * The buttons at the end of a form. Above them stands what has to be read or proved before they are pressed: what the
 * change comes to, and who somebody is.
 */
export function ActButtons({ children }: { readonly children: ReactNode }) {
  const [answer, { asks, isProof = false }] = [use(AnswerContext), use(AheadContext)];
  const kind = answer.asks ?? asks;
  return (
    <>
      {answer.review && <ReviewBox key={answer.review.seen} review={answer.review} />}
      {/* A passkey sends again what was sent before, and never what is still to be filled in. */}
      {kind && (
        <div data-proof="" className="grid gap-2 rounded-md border border-line bg-sunken p-3">
          <ProofField key={answer.alert} kind={kind} submits={isProof || answer.asks !== undefined} />
        </div>
      )}
      {/* Beside a review its own button saves: Enter then has one thing to press. */}
      {!answer.review && <div className="flex flex-wrap items-center gap-2">{children}</div>}
    </>
  );
}

/** Leads to the first field with a problem, then to what is to be proved or read, then to the alert. */
function focusProblem(form: HTMLFormElement | null): void {
  const first = ["[aria-invalid=true]", "[data-proof] input", "[data-review]", ":scope > [role=alert]"];
  for (const selector of first) {
    const found = form?.querySelector<HTMLElement>(selector);
    if (found) return found.focus();
  }
}

function ActAlert({ answer }: { readonly answer: ActAnswer }) {
  if (answer.alert === undefined) return null;
  return (
    <Notice tone="bad" role="alert" tabIndex={-1}>
      {answer.alert}
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

type MoreProps = {
  readonly summary: string;
  /** The fields within: a problem of one shows them. */
  readonly names: readonly string[];
  readonly open?: boolean | undefined;
  readonly children: ReactNode;
};

/** Fields that most people leave alone, folded away unless something is set or wrong in them. */
export function ActMore({ summary, names, open = false, children }: MoreProps) {
  const { typed, problems } = use(AnswerContext);
  const concerns = names.some(
    (name) => problems[name] !== undefined || (typed?.[name] ?? []).some((one) => one !== ""),
  );
  return (
    <details open={open || concerns}>
      <summary className="font-semibold pointer-coarse:min-h-11 pointer-coarse:content-center">{summary}</summary>
      {children}
    </details>
  );
}

type Box = { readonly value: string; readonly label: string; readonly hint?: ReactNode | undefined };
type BoxesProps = {
  readonly name: string;
  readonly list: readonly Box[];
  readonly ticked?: readonly string[] | undefined;
};

/** Boxes with one name; the ticked ones are sent. What is wrong with them stands under the last. */
export function ActBoxes({ name, list, ticked = [] }: BoxesProps) {
  const { typed, problems } = use(AnswerContext);
  const chosen = typed === undefined ? ticked : (typed[name] ?? []);
  const id = useId();
  const problem = problems[name];
  return (
    <>
      {list.map(({ value, label, hint }) => (
        <CheckboxField
          key={value}
          name={name}
          value={value}
          label={label}
          hint={hint}
          defaultChecked={chosen.includes(value)}
          aria-invalid={problem !== undefined || undefined}
          problemId={problem === undefined ? undefined : id}
        />
      ))}
      {problem !== undefined && (
        <p id={id} className="text-sm font-semibold text-bad">
          {problem}
        </p>
      )}
    </>
  );
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
    <label className="-m-2 inline-flex p-2 pointer-coarse:min-h-11 pointer-coarse:min-w-11">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        name={name}
        value={value}
        defaultChecked={chosen}
        className="mt-0.5 size-4.5 accent-inverse"
      />
    </label>
  );
}

/** What is wrong with a part of the form that is no single field. */
export function ActProblem({ name }: { readonly name: string }) {
  const { problems } = use(AnswerContext);
  return problems[name] === undefined ? null : <p className="text-sm font-semibold text-bad">{problems[name]}</p>;
}
