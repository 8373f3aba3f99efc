import type { ActAnswer } from "#components/form/act-answer";

/** What became of one of the cases, in words. */
export type Outcome = {
  readonly taskId: string;
  readonly shortId: string;
  readonly done: boolean;
  readonly text: string;
};

/** What the server says to an act on several cases: of each what became of it, or why none was touched. */
export type BulkAnswer = ActAnswer & { readonly outcomes?: readonly Outcome[] | undefined };
