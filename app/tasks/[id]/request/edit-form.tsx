"use client";

import Link from "next/link";
import { useEffect } from "react";
import { TextField } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import { buttonClass } from "#components/form/plain-button";
import { DecisionForm, formIdOf, useFields } from "../decision/decision.tsx";

/** One value to correct. */
export type EditField = {
  readonly pointer: string;
  readonly name: string;
  readonly hint?: string | undefined;
  readonly kind: "text" | "date" | "number";
  readonly value: string;
};

/** The values of one part of the request. */
export type EditGroup = {
  readonly title: string;
  readonly about?: string | undefined;
  readonly fields: readonly EditField[];
};

type Props = {
  readonly groups: readonly EditGroup[];
  /** Who has to release it then, where the practice asks for several people. */
  readonly warning: string | undefined;
  /** The case without this form. */
  readonly back: string;
};

/** The values of the request that a reviewer may correct, in their places. What is refused says so at its field. It opens at the first one. */
export function EditForm({ groups, warning, back }: Props) {
  const field = useFields("edit");
  const { error } = field("value:");
  useEffect(() => document.getElementById(formIdOf("edit"))?.querySelector<HTMLElement>("fieldset input")?.focus(), []);
  return (
    <DecisionForm intent="edit">
      <p className="text-sm text-ink-soft">
        For corrections of what was typed wrong. It becomes a new revision in your name, the agent is told, and it still
        has to be released.
      </p>
      {warning !== undefined && <p className="text-sm font-semibold text-warn">{warning}</p>}
      {error !== undefined && <p className="text-sm font-semibold text-bad">{error}</p>}
      {groups.map(({ title, about, fields }) => (
        <fieldset key={fields[0]?.pointer} className="min-w-0 border-t border-line pt-3">
          <legend className="float-left mb-2 w-full text-xs font-semibold text-ink-faint">
            {title}
            {about !== undefined && <span className="font-normal"> {about}</span>}
          </legend>
          <div className="clear-both grid grid-cols-2 gap-x-3 gap-y-2">
            {fields.map(({ pointer, name, hint, kind, value }) => (
              <TextField
                key={pointer}
                {...field(`value:${pointer}`, value)}
                label={name}
                hint={hint}
                inputMode={kind === "number" ? "decimal" : undefined}
                type={kind === "date" ? "date" : "text"}
                autoComplete="off"
                className={kind === "date" ? undefined : "font-mono"}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <div className="sticky bottom-0 -mx-4 flex flex-wrap gap-2 border-t border-line bg-surface px-4 py-3">
        <SubmitButton tone="primary">Save as new revision</SubmitButton>
        <Link href={back} prefetch={false} className={buttonClass({ tone: "plain" })}>
          Cancel
        </Link>
      </div>
    </DecisionForm>
  );
}
