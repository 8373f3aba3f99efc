import type { ActAnswer } from "#components/form/act-answer";
import type { OpenedLink } from "#lib/person/choose-password";

/** What the page shows: the link's code to be given, the password to be chosen by it, or that it is done. */
export type LinkAnswer = ActAnswer & {
  readonly link?: (OpenedLink & { readonly code: string }) | undefined;
  readonly isDone?: boolean | undefined;
};
