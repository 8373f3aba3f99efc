import type { ActAnswer } from "#components/form/act-answer";

/** A row of a dry run, in words. */
export type ShownRow = {
  readonly line: number;
  readonly key: string;
  readonly outcome: "new" | "changed" | "unchanged" | "refused";
  readonly changes: readonly { readonly place: string; readonly before?: string; readonly after?: string }[];
  readonly problems: readonly string[];
};

/** What the server says to an import: what is wrong with the file, what its rows would come to, or that it was done. */
export type ImportAnswer = ActAnswer & {
  readonly done?: string | undefined;
  readonly rows?: readonly ShownRow[] | undefined;
  readonly digest?: string | undefined;
};
