import { stateText } from "#components/case-words";
import type { Refusal } from "#lib/tasks/refusal";
import type { Alert } from "./answer.ts";

type Told = Pick<Alert, "title" | "text"> & Partial<Pick<Alert, "changes">>;

const fieldNames: Readonly<Record<string, string>> = {
  reason: "The reason",
  question: "The question",
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

/** Why a decision did not go through, in words, with nothing done. `at` writes an instant as the reader reads it. */
export function refusalWords(refusal: Refusal, at: (instant: Date) => string): Alert {
  return { changes: [], ...told(refusal, at) };
}

function told(refusal: Refusal, at: (instant: Date) => string): Told {
  switch (refusal.type) {
    case "not-authorised":
    case "not-found":
      return { title: "This case is no longer yours to decide", text: "Nothing was done." };
    case "invalid":
      return { title: "Something is missing", text: refusal.issues.map(issueText).join(" ") };
    case "already-decided": {
      const answer = answers[refusal.answer] ?? refusal.answer;
      return {
        title: `${refusal.by} decided first`,
        text: `${refusal.by} ${answer} this at ${at(refusal.at)}. Your decision was not recorded.`,
      };
    }
    case "changed":
      return {
        title: "This case changed while you read it",
        text: `${refusal.why} Nothing was done. What you see below is the case as it is now: read it again, then decide.`,
        changes: refusal.changes,
      };
    case "stale":
      return { title: "This case moved on while you read it", text: now(refusal.state) };
    case "out-of-state":
      return { title: "That can't be done now", text: now(refusal.state) };
    case "not-withdrawable":
      return { title: "This can't be withdrawn now", text: now(refusal.state) };
    case "gate-expired":
      return { title: "This gate has expired", text: `${now(refusal.state)} The agent has to send the case again.` };
    case "needs-adoption":
      return {
        title: "Nobody answers for this case yet",
        text: "The channel that sent it may no longer act for the practice. Adopt the case first, or decline it.",
      };
    case "release-too-old":
      return {
        title: "The release is more than a day old",
        text: "It no longer speaks for the case. Release it again.",
      };
    case "not-claimable":
      return { title: "Not yet", text: "It can still be recalled. Try again when the recall window is over." };
    case "attempt-superseded":
      return { title: "Somebody else has taken this over", text: now(refusal.state) };
  }
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
