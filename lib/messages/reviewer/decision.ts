import type { Action, Outcome } from "#lib/task/model/task";
import { appealText } from "./recourse.ts";

/** What the release of a gate is called on its button. */
type ReleaseFacts = {
  readonly action: Action;
  readonly update: boolean;
  readonly manual: boolean;
  /** Who receives it. */
  readonly payer: string;
  /** The payer that the receiver reviews for. */
  readonly reviewsFor?: string | undefined;
  /** What contests the payer's determination, where this does. */
  readonly appeal?: keyof typeof appealText | undefined;
  /** Of what a void takes away, where the payer gave one. */
  readonly authorizationNumber?: string | undefined;
};

/** The button that releases, named by what it comes to. */
export function releaseText({ action, update, manual, payer, appeal, authorizationNumber }: ReleaseFacts): string {
  if (action === "void")
    return authorizationNumber === undefined ? "Void this request" : `Void authorization ${authorizationNumber}`;
  if (manual && appeal) return `Release ${appealText[appeal].toLowerCase()} for manual submission`;
  if (manual) return update ? "Release update for manual submission" : "Release for manual submission";
  return update ? `Release as update to ${payer}` : `Release to ${payer}`;
}

const secondsText = (seconds: number) => (seconds === 1 ? "1 second" : `${seconds} seconds`);

/** One of several cases that are released together, with the undo window of its practice in seconds. */
type ReleasedTogether = { readonly manual: boolean; readonly recallWindowS: number };

/** What happens after several cases are released together. */
export function afterReleasesText(cases: readonly ReleasedTogether[]): string {
  const sent = cases.filter(({ manual }) => !manual);
  if (sent.length === 0) return "Each waits for whoever submits it. You can undo until that starts.";
  const undo = undoText(sent.map(({ recallWindowS }) => recallWindowS));
  if (sent.length === cases.length) return `Submits each to its payer.${undo}`;
  return `Submits each to its payer.${undo} One with a manual route waits for whoever submits it; you can undo it until that starts.`;
}

function undoText(windows: readonly number[]): string {
  const [shortest, longest] = [Math.min(...windows), Math.max(...windows)];
  if (longest === 0) return "";
  if (shortest === longest) return ` You can undo for ${secondsText(longest)}.`;
  return ` You can undo for ${shortest === 0 ? "up to" : `${shortest} to`} ${secondsText(longest)}, as each practice has set.`;
}

/** What happens after the button is pressed. */
export function afterReleaseText({ action, manual, payer, reviewsFor }: ReleaseFacts, recallWindowS: number): string {
  const undo = recallWindowS > 0 ? ` You can undo for ${secondsText(recallWindowS)}.` : "";
  if (manual) return "A reviewer submits it by portal, phone or fax. You can undo until that starts.";
  const whom = reviewsFor === undefined ? payer : `${payer}, which reviews for ${reviewsFor}`;
  return action === "void" ? `Submits the void to ${whom}.${undo}` : `Submits to ${whom}.${undo}`;
}

/** The determination in force, with the services that it authorizes. */
type VoidedDetermination = {
  readonly outcome: Outcome;
  readonly codes: string;
  readonly until?: string | undefined;
};

/** What a void of this determination takes away, and of a request that the payer has not decided on. */
export function voidLossText(determination: VoidedDetermination | undefined): { title: string; text: string } {
  switch (determination?.outcome) {
    case undefined:
      return {
        title: "This withdraws the request from the payer",
        text: "The payer stops reviewing this request. The patient has no authorization for it.",
      };
    case "denied":
      return {
        title: "This voids a denied request",
        text: "The patient loses no authorization. The denial can no longer be contested here.",
      };
    case "not-required":
      return {
        title: "This voids a request that needs no authorization",
        text: "The patient loses no authorization. The payer's answer that none is required no longer counts.",
      };
    case "approved":
    case "modified":
    case "partially-approved":
      return { title: "This takes an authorization away", text: lostText(determination) };
  }
}

function lostText({ codes, until }: VoidedDetermination): string {
  const valid = until === undefined ? "" : `, valid to ${until}`;
  return `The patient loses the authorization for ${codes}${valid}. The service needs a new request.`;
}
