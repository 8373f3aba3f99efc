import type { CaseCheck } from "#lib/gate/model/check";
import { nearHours, snoozeDaysMax } from "#lib/queue/model/snooze";
import type { SnoozeRefusal } from "#lib/queue/snooze-case";
import type { DeskRefusal } from "#lib/task/desk-refusal";
import type { Change, Refusal } from "#lib/task/refusal";
import { stateText } from "./case.ts";
import { checkSentences } from "./checks.ts";
import { editableText } from "./editable.ts";

type RefusalText = {
  readonly title: string;
  readonly text: string;
  readonly changes?: readonly Change[];
  /** What is wrong with a field, by its name; the text leaves that out. */
  readonly problems?: Readonly<Record<string, string>>;
};

/** What the fields of all decisions are called; each stands in its form with what is wrong with it. */
const fieldNames: Readonly<Record<string, string>> = {
  reason: "The reason",
  why: "The override reason",
  code: "The decline reason",
  question: "The question",
  fields: "The list of fields",
  delivery: "How it was submitted",
  to: "The recipient",
  sentAt: "The submission time",
  whom: "The person you asked",
  inquiredBy: "How you asked",
  inquiredAt: "The time you asked",
  reply: "What the payer said",
  payerHas: "The result",
  informationRequest: "The requested information",
  evidence: "The evidence",
  outcome: "The outcome",
  reference: "The payer reference",
  authorizationNumber: "The authorization number",
  validFrom: "The first day",
  validTo: "The last day",
  reasons: "The reason codes",
  appealBy: "The last day to appeal",
  howToAppeal: "How to appeal",
  note: "The note",
  document: "The payer's letter",
  lines: "The answer line by line",
  learnedBy: "How you learned it",
  learnedFrom: "This",
  decidedAt: "The decision time",
  by: "The last day to appeal",
  how: "How to appeal",
  status: "The status",
  at: "The date and time",
  clinician: "The name of our clinician",
  counterpart: "The name of the payer's clinician",
};

const answers: Readonly<Record<string, string>> = {
  release: "released",
  decline: "declined",
  "send-back": "requested information on",
};

/** Why a decision was refused. `write` formats an instant in the reader's time zone. */
export function refusalText(refusal: Refusal, write: (instant: Date) => string): Required<RefusalText> {
  // Safe because the table has, for each type, the function for exactly that refusal.
  const textOf = texts[refusal.type] as (refusal: Refusal, write: (instant: Date) => string) => RefusalText;
  return { changes: [], problems: {}, ...textOf(refusal, write) };
}

type TextOf<Type extends Refusal["type"]> = (
  refusal: Extract<Refusal, { type: Type }>,
  write: (instant: Date) => string,
) => RefusalText;

const notYours = () => ({ title: "You no longer have access to this case", text: "Nothing was done." });

const texts: { readonly [Type in Refusal["type"]]: TextOf<Type> } = {
  "not-authorised": notYours,
  "not-found": notYours,
  invalid: ({ issues }) => {
    const [shown, hidden] = [issues.filter(({ path }) => isShown(path)), issues.filter(({ path }) => !isShown(path))];
    return {
      title: issues.length === 1 ? "A field needs attention" : "Some fields need attention",
      text: hidden
        .map(({ problem }) => `Something that this page sends by itself ${problem}. Reload the page.`)
        .join(" "),
      problems: Object.fromEntries(shown.map((issue) => [fieldOf(issue.path), issueText(issue)])),
    };
  },
  "already-decided": ({ by, isOwn, answer, at }, write) => ({
    title: isOwn ? "You decided this earlier" : `${by} decided first`,
    text: `${isOwn ? "You" : by} ${answers[answer] ?? answer} this on ${write(at)}. Your decision was not recorded.`,
  }),
  changed: ({ why, changes }) => ({
    title: "This case changed while you were reading it",
    text: `${why} Nothing was done. The case below is current: review it, then decide.`,
    changes,
  }),
  blocked: ({ checks }) => ({ title: "This can't be released yet", text: sentences(checks) }),
  warned: ({ checks }) => ({
    title: "There are new warnings",
    text: `Nothing was done. ${sentences(checks)} Review them below, then decide.`,
  }),
  stale: ({ state }) => ({ title: "This case changed while you were reading it", text: now(state) }),
  "out-of-state": ({ state }) => ({ title: "This action isn't available now", text: now(state) }),
  "not-withdrawable": ({ state }) => ({ title: "This can't be withdrawn now", text: now(state) }),
  "gate-expired": ({ action }) => ({
    title: "The time to release this has expired",
    text: `Nothing was done. The agent has to ${action === "void" ? "request the void" : "send the case"} again.`,
  }),
  "needs-adoption": () => ({
    title: "This case has no owner",
    text: "The channel that sent it may no longer act for the practice. Take ownership of the case first, or decline it.",
  }),
  "owns-channel": () => ({
    title: "You own the channel that sent this",
    text: "Nothing was done. Another reviewer must release it; you can decline it or request information.",
  }),
  "edited-it": () => ({
    title: "You edited this request",
    text: "Nothing was done. The practice requires several reviewers, and whoever edited the request can't be one of them.",
  }),
  "released-already": ({ given, needed }) => ({
    title: "You have released this already",
    text: `${given} of ${needed} have released it. Another reviewer must release it too.`,
  }),
  "not-released": ({ state }) => ({ title: "You have no release to withdraw", text: now(state) }),
  "key-reused": () => ({
    title: "A decision was already made on this page",
    text: "Nothing more was done. The case below is current.",
  }),
  "proof-needed": () => ({
    title: "Verify your identity",
    text: "Nothing was done. The practice requires you to verify your identity before you release this.",
  }),
  "record-stopped": () => ({
    title: "The service is being recovered",
    text: "Nothing was done. The database was restored from an earlier state, and a decision made now might be lost. Try again when the notice at the top is gone.",
  }),
  "not-replicated": () => ({
    title: "Decisions are not safe at the moment",
    text: "Nothing was done. The database has no second copy, and a decision made now might be lost. Try again when the notice at the top is gone.",
  }),
  "no-owner": () => ({
    title: "The channel that sent this has no owner",
    text: "Nothing was done. Ask an admin to set the channel's owner; then it can be released.",
  }),
  "release-too-old": () => ({
    title: "The release is more than a day old",
    text: "It no longer counts. Release the case again.",
  }),
  "not-claimable": () => ({
    title: "Too early",
    text: "The release can still be undone. Try again when the undo window is over.",
  }),
  "attempt-superseded": ({ state }) => ({ title: "Another person has taken this over", text: now(state) }),
};

function sentences(checks: readonly CaseCheck[]): string {
  return checkSentences(checks)
    .map(({ text }) => text)
    .join(" ");
}

function now(state: Parameters<typeof stateText>[0]): string {
  return `Nothing was done. The status is: ${stateText(state).toLowerCase()}.`;
}

const lineFieldNames: Readonly<Record<string, string>> = {
  action: "the answer",
  code: "the code",
  quantity: "the quantity",
  from: "the first day",
  to: "the last day",
  number: "the number",
  reasons: "the reason codes",
  providers: "the provider NPIs",
  place: "the place of service",
};

/** Whether a field of a form has this path. */
function isShown(path: string): boolean {
  return Object.hasOwn(fieldNames, path) || path.startsWith("value:") || lineField.test(path);
}

const lineField = /^lines\.(\d+)\.(\w+)/;

function issueText({ path, problem }: { readonly path: string; readonly problem: string }): string {
  if (path.startsWith("value:")) return `${editableText(path.slice("value:".length))} ${problem}.`;
  const [, index, field = ""] = lineField.exec(path) ?? [];
  const ofLine = index === undefined ? undefined : `Service ${Number(index) + 1}: ${lineFieldNames[field] ?? "it"}`;
  return `${ofLine ?? fieldNames[path]} ${problem}.`;
}

/** The field of the form that a path names: `lines.0.action` is `line-1-action`. */
function fieldOf(path: string): string {
  const [, index, field] = lineField.exec(path) ?? [];
  return field === undefined ? path : `line-${Number(index) + 1}-${field}`;
}

/** Why an assignment or a note was refused. */
export function deskRefusalText(refusal: DeskRefusal): {
  readonly alert?: string;
  readonly problems: Readonly<Record<string, string>>;
} {
  switch (refusal.type) {
    case "not-found":
      return { alert: "You no longer have access to this case. Nothing was done.", problems: {} };
    case "invalid":
      return { problems: Object.fromEntries(refusal.issues.map(({ path, problem }) => [path, `It ${problem}.`])) };
    case "assigned-meanwhile": {
      const change = refusal.to === undefined ? "It was unassigned" : `It was assigned to ${refusal.to}`;
      return { alert: `${change} while this page was open. Nothing was done.`, problems: {} };
    }
    case "not-able":
      return { problems: { to: "This person isn't a reviewer of this practice." } };
  }
}

/** Why a case was not snoozed. */
export function snoozeRefusalText(refusal: SnoozeRefusal): {
  readonly alert?: string;
  readonly problems: Readonly<Record<string, string>>;
} {
  switch (refusal.type) {
    case "not-found":
      return { alert: "You no longer have access to this case. Nothing was done.", problems: {} };
    case "near":
      return { alert: `It is due within ${nearHours} hours, so it can't be snoozed.`, problems: {} };
    case "invalid":
      return { problems: { at: `It must be a date and time within the next ${snoozeDaysMax} days.` } };
    case "nothing-to-do":
      return { alert: "It needs no action here, so there is nothing to snooze.", problems: {} };
    case "changed-meanwhile":
      return { alert: "The case changed while this page was open. Read it, then snooze it.", problems: {} };
    case "snoozed-meanwhile":
      return { alert: `${refusal.by} snoozed it while this page was open.`, problems: {} };
  }
}
