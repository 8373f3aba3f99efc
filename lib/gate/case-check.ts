import type { Check } from "#lib/gate/model/check";

/** A check as the page shows it; `key` is what a release names it by. */
export type CaseCheck = Check & {
  readonly key: string;
  readonly needsReason: boolean;
  readonly otherShortId?: string | undefined;
};
