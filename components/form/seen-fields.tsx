"use client";

import { Fragment, type ReactNode } from "react";
import { useAnswer } from "./act-form.tsx";

type Props = {
  /** What the fields are made from, as one text. */
  readonly seen: string;
  /** The field that it is sent in. */
  readonly name?: string;
  readonly children: ReactNode;
};

/**
 * The fields of settings that another admin may change while the form is open. The form sends the settings that it was
 * drawn from along with them, so that a newer change is not overwritten. A refused form keeps those it was first drawn from.
 */
export function SeenFields({ seen, name = "seen", children }: Props) {
  const { typed } = useAnswer();
  return (
    <>
      <input type="hidden" name={name} value={typed?.[name]?.[0] ?? seen} />
      <Fragment key={seen}>{children}</Fragment>
    </>
  );
}
