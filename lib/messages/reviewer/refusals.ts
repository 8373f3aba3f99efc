import type { CaseCheck } from "#lib/gate/case-check";
import type { DeskRefusal } from "#lib/task/desk-refusal";
import type { Change, Refusal } from "#lib/task/refusal";
import { stateText } from "./case.ts";
import { checkSentences } from "./checks.ts";

type RefusalText = { readonly title: string; readonly text: string; readonly changes?: readonly Change[] };

const fieldNames: Readonly<Record<string, string>> = {
  reason: "The reason",
  why: "Why you release over the warnings",
  code: "Why you decline",
  question: "The question",
  fields: "The fields in question",
  delivery: "How you sent it",
  sentAt: "When you sent it",
  whom: "Whom you asked",
  askedBy: "How you asked",
  askedAt: "When you asked",
  wants: "What the payer wants",
  evidence: "What this rests on",
  outcome: "The outcome",
  reference: "The payer's reference",
  authorizationNumber: "The authorization number",
  validFrom: "The first day",
  validTo: "The last day",
  note: "The note",
  document: "The payer's letter",
  lines: "The answer line by line",
  learnedBy: "How you learned it",
  learnedFrom: "From whom you learned it",
  decidedAt: "When it was decided",
};

const answers: Readonly<Record<string, string>> = {
  release: "released",
  decline: "declined",
  "send-back": "sent back",
};

/** Why a decision was refused. `write` formats an instant in the reader's time zone. */
export function refusalText(refusal: Refusal, write: (instant: Date) => string): Required<RefusalText> {
  // Safe because the table has, for each type, the function for exactly that refusal.
  const textOf = texts[refusal.type] as (refusal: Refusal, write: (instant: Date) => string) => RefusalText;
  return { changes: [], ...textOf(refusal, write) };
}

type TextOf<Type extends Refusal["type"]> = (
  refusal: Extract<Refusal, { type: Type }>,
  write: (instant: Date) => string,
) => RefusalText;

const notYours = () => ({ title: "This case is no longer yours to decide", text: "Nothing was done." });

const texts: { readonly [Type in Refusal["type"]]: TextOf<Type> } = {
  "not-authorised": notYours,
  "not-found": notYours,
  invalid: ({ issues }) => ({ title: "Something is missing", text: issues.map(issueText).join(" ") }),
  "already-decided": ({ by, answer, at }, write) => ({
    title: `${by} decided first`,
    text: `${by} ${answers[answer] ?? answer} this at ${write(at)}. Your decision was not recorded.`,
  }),
  changed: ({ why, changes }) => ({
    title: "This case changed while you read it",
    text: `${why} Nothing was done. What you see below is the case as it is now: read it again, then decide.`,
    changes,
  }),
  blocked: ({ checks }) => ({ title: "This can't be released as it is", text: sentences(checks) }),
  warned: ({ checks }) => ({
    title: "There are warnings this page did not show",
    text: `Nothing was done. ${sentences(checks)} Read them below, then decide.`,
  }),
  stale: ({ state }) => ({ title: "This case moved on while you read it", text: now(state) }),
  "out-of-state": ({ state }) => ({ title: "That can't be done now", text: now(state) }),
  "not-withdrawable": ({ state }) => ({ title: "This can't be withdrawn now", text: now(state) }),
  "gate-expired": ({ state }) => ({
    title: "This gate has expired",
    text: `${now(state)} The agent has to send the case again.`,
  }),
  "needs-adoption": () => ({
    title: "Nobody answers for this case yet",
    text: "The channel that sent it may no longer act for the practice. Adopt the case first, or decline it.",
  }),
  "owns-channel": () => ({
    title: "You answer for the channel that sent this",
    text: "Nothing was done. Another reviewer has to release it; you may decline it or send it back.",
  }),
  "released-already": ({ given, needed }) => ({
    title: "You have released this already",
    text: `${given} of ${needed} have released it. Somebody else has to release it too.`,
  }),
  "not-released": ({ state }) => ({ title: "There is no release of yours to take back", text: now(state) }),
  "key-reused": () => ({
    title: "This page was used for another decision already",
    text: "Nothing more was done. What you see below is the case as it is now.",
  }),
  "proof-needed": () => ({
    title: "Say again that it is you",
    text: "Nothing was done. The practice asks you to prove again who you are before this is released.",
  }),
  "record-stopped": () => ({
    title: "The service is being recovered",
    text: "Nothing was done. The database was restored from an earlier state, and what you decide now might be lost. Try again when the notice at the top is gone.",
  }),
  "no-owner": () => ({
    title: "Nobody answers for the channel that sent this",
    text: "Nothing was done, and nothing is lost. An administrator has to name the channel's owner; then it can be released.",
  }),
  "release-too-old": () => ({
    title: "The release is more than a day old",
    text: "It no longer speaks for the case. Release it again.",
  }),
  "not-claimable": () => ({
    title: "Not yet",
    text: "It can still be recalled. Try again when the recall window is over.",
  }),
  "attempt-superseded": ({ state }) => ({ title: "Somebody else has taken this over", text: now(state) }),
};

function sentences(checks: readonly CaseCheck[]): string {
  return checkSentences(checks)
    .map(({ text }) => text)
    .join(" ");
}

function now(state: Parameters<typeof stateText>[0]): string {
  return `Nothing was done. It stands at: ${stateText(state).toLowerCase()}.`;
}

const lineFieldNames: Readonly<Record<string, string>> = {
  action: "the answer",
  code: "the code",
  quantity: "the quantity",
  from: "the first day",
  to: "the last day",
  number: "the number",
  reasons: "the reason codes",
};

function issueText({ path, problem }: { readonly path: string; readonly problem: string }): string {
  const [, index, field = ""] = /^lines\.(\d+)\.(\w+)/.exec(path) ?? [];
  const ofLine = index === undefined ? undefined : `Line ${Number(index) + 1}: ${lineFieldNames[field] ?? "it"}`;
  return `${ofLine ?? fieldNames[path] ?? "The date and time"} ${problem}.`;
}

/** Why a claim, an assignment or a note was refused. */
export function deskRefusalText(refusal: DeskRefusal): {
  readonly alert?: string;
  readonly problems: Readonly<Record<string, string>>;
} {
  switch (refusal.type) {
    case "not-found":
      return { alert: "You no longer have access to this case. Nothing was done.", problems: {} };
    case "invalid":
      return { problems: Object.fromEntries(refusal.issues.map(({ path, problem }) => [path, `It ${problem}.`])) };
    case "claimed":
      return {
        alert: `${refusal.by} claimed this first. You can take it over, or decide without claiming it.`,
        problems: {},
      };
    case "assigned-meanwhile": {
      const change = refusal.to === undefined ? "It was unassigned" : `It was assigned to ${refusal.to}`;
      return { alert: `${change} while this page was open. Nothing was done.`, problems: {} };
    }
    case "not-able":
      return { problems: { to: "This person isn't a reviewer of this practice." } };
  }
}
