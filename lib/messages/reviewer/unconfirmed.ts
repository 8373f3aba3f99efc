import type { Action } from "#lib/task/model/task";

/** Why nobody knows whether the payer has it, and who finds out. */
export function unconfirmedText(action: Action, hasReply: boolean): string {
  const what = action === "void" ? "The void" : "It";
  const why = hasReply ? "the payer's answer wasn't understood" : "no complete answer was received";
  return `${what} was submitted, and ${why}. The service keeps asking; you can also ask the payer and record the answer. Nothing is submitted again without a new release.`;
}

type ResultText = { readonly title: string; readonly yes: string; readonly no: string };

/** What a payer that is asked may say. */
export const inquiryResults: Readonly<Record<Action, ResultText>> = {
  transmit: { title: "Submission status", yes: "Payer confirmed receipt", no: "Payer has no record" },
  void: { title: "Void status", yes: "Payer has the void", no: "Payer has no record of the void" },
};

/** The result as the end of its button. */
export const recordResultText = (result: string): string =>
  `Record: ${result.charAt(0).toLowerCase()}${result.slice(1)}`;

/** What stands over an authorization that may be, or is about to be, void. */
export const maybeVoidedText =
  "The payer may have voided this authorization. Ask the payer before anyone relies on it.";
