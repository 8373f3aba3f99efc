"use client";

import { useId, type ReactNode } from "react";
import { KeyHint } from "#components/keyboard/key-hint";
import { classNames } from "#components/shell/class-names";
import { useDecision } from "./decision.tsx";

export type Answer = "release" | "request-information" | "decline";

export type Choosable = {
  readonly answer: Answer;
  readonly name: string;
  readonly shortcut: string;
  /** Its form, with its one button. */
  readonly form: ReactNode;
};

type Props = {
  readonly answers: readonly Choosable[];
  /** The one that is chosen before anybody chooses. */
  readonly first: Answer;
  /** What speaks for or against it; stands between the choice and the form. */
  readonly children: ReactNode;
};

/** What shows the form of a chosen answer and no other; the style sheet does it, so that it needs no script. */
const shows: Readonly<Record<Answer, string>> = {
  release: "group-has-[input[value=release]:checked]/choice:block",
  "request-information": "group-has-[input[value=request-information]:checked]/choice:block",
  decline: "group-has-[input[value=decline]:checked]/choice:block",
};

/** One answer of three. Each is a form of its own, so that no key that submits one can give another. */
export function Choice({ answers, first, children }: Props) {
  const id = useId();
  const { answer } = useDecision();
  const chosen = answers.find((one) => one.answer === answer.typed?.intent?.[0])?.answer ?? first;
  return (
    <div className="group/choice grid gap-4">
      <fieldset key={chosen} className="relative min-w-0">
        <legend className="sr-only">Your decision</legend>
        <div className="flex rounded-md border border-line-strong bg-surface p-0.5">
          {answers.map((one) => (
            <div key={one.answer} className="relative flex-auto">
              <input
                type="radio"
                id={`${id}-${one.answer}`}
                name="decision"
                value={one.answer}
                defaultChecked={one.answer === chosen}
                data-chooses={one.answer}
                className="peer absolute inset-0 cursor-pointer opacity-0"
              />
              <label
                htmlFor={`${id}-${one.answer}`}
                className="flex min-h-9 cursor-pointer items-center justify-center gap-1.5 rounded-sm px-2 text-center text-sm leading-4 font-semibold text-ink-soft peer-checked:bg-inverse peer-checked:text-on-inverse peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-(--focus) pointer-coarse:min-h-11"
              >
                {one.name}
                <span className="max-2xl:hidden">
                  <KeyHint chord={one.shortcut} />
                </span>
              </label>
            </div>
          ))}
        </div>
      </fieldset>
      {children}
      {answers.map((one) => (
        // Named, so that a screen reader says which decision a field belongs to.
        <div key={one.answer} role="group" aria-label={one.name} className={classNames("hidden", shows[one.answer])}>
          {one.form}
        </div>
      ))}
    </div>
  );
}

/** Stands only while Release is chosen. */
export function WhileReleasing({ children }: { readonly children: ReactNode }) {
  return (
    <div role="group" aria-label="Release" className={classNames("hidden", shows.release)}>
      {children}
    </div>
  );
}
