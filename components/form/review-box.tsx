"use client";

import { ArrowRight, Minus, Plus } from "lucide";
import { classNames } from "#components/shell/class-names";
import { Icon } from "#components/shell/icon";
import { Notice } from "#components/shell/notice";
import type { Review } from "./act-answer.tsx";
import { SubmitButton } from "./submit-button.tsx";

const marks = {
  adds: { icon: Plus, label: "Adds", ink: "text-good" },
  removes: { icon: Minus, label: "Removes", ink: "text-bad" },
  changes: { icon: ArrowRight, label: "Changes", ink: "text-ink-faint" },
} as const;

/** What a change comes to, line by line, with the button that saves exactly this. */
export function ReviewBox({ review: { lines, warnings, notes, seen } }: { readonly review: Review }) {
  return (
    <section data-review="" tabIndex={-1} aria-label="Review changes" className="panel appear">
      <input type="hidden" name="seen" value={seen} />
      <h2 className="panel-head font-semibold">Review changes</h2>
      <div className="grid gap-3 p-4">
        <ul className="grid gap-1.5">
          {lines.map(({ kind, name, text }) => (
            <li
              key={`${kind} ${name} ${text}`}
              className="grid grid-cols-[1rem_9rem_minmax(0,1fr)] items-start gap-x-2 max-sm:grid-cols-[1rem_minmax(0,1fr)]"
            >
              <Icon of={marks[kind].icon} className={classNames("mt-0.5", marks[kind].ink)} />
              <span className="text-ink-soft">
                <span className="sr-only">{marks[kind].label}: </span>
                {name}
              </span>
              <span className="font-semibold wrap-anywhere max-sm:col-start-2">{text}</span>
            </li>
          ))}
        </ul>
        {warnings.map((warning) => (
          <Notice key={warning} tone="warn">
            {warning}
          </Notice>
        ))}
        {notes.map((note) => (
          <p key={note} className="text-ink-soft">
            {note}
          </p>
        ))}
        <div>
          <SubmitButton tone="primary">Save changes</SubmitButton>
        </div>
      </div>
    </section>
  );
}
