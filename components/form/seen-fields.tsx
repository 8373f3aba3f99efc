"use client";

import { Fragment, type ReactNode } from "react";
import { useAnswer } from "./act-form.tsx";

type Props = {
  /** What the fields are made from, as one text. */
  readonly seen: string;
  readonly children: ReactNode;
};

/**
 * Fields of settings that somebody else may change meanwhile. With them goes what they were made from, so that nothing
 * unseen is overwritten: beside texts that a refused form still holds, what those were made from.
 */
export function SeenFields({ seen, children }: Props) {
  const { typed } = useAnswer();
  return (
    <>
      <input type="hidden" name="seen" value={typed?.["seen"]?.[0] ?? seen} />
      <Fragment key={seen}>{children}</Fragment>
    </>
  );
}
