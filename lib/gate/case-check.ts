import type { Check } from "#lib/gate/model/check";

/** A check as the page shows it. A release refers to it by its `key`. */
export type CaseCheck = Check & {
  readonly key: string;
  readonly needsReason: boolean;
  readonly otherShortId?: string | undefined;
};
