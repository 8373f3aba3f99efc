import type { AccountChange } from "#lib/person/model/account-change";
import type { Attention } from "#lib/task/model/task";

/** What ends the subject of a mail about an account: the name of the product. */
const product = "Prior authorization";

type CaseSubject = {
  readonly cases: number;
  /** The names of the practices, each once. */
  readonly practices: readonly string[];
  /** What stands foremost; it is in the subject of a mail about one case. */
  readonly kind: "expiring" | "gate" | "needs-person" | "assigned" | "mention" | "ending" | "emergency";
  readonly isTest: boolean;
};

type CaseLine = {
  readonly shortId: string;
  readonly practice: string;
  readonly isUrgent: boolean;
  readonly isTest: boolean;
  readonly reasons: readonly string[];
};

type WaitingAction = {
  readonly action: "void" | "update" | "request";
  /** When the gate expires, and the practice's time zone. */
  readonly expires?: { readonly at: Date; readonly timeZone: string } | undefined;
};

const attentions: Readonly<Record<Attention, string>> = {
  unconfirmed: "nobody knows whether the payer has it",
  "contact-payer": "the payer asks to be contacted",
  "manual-submission": "it is to be sent by hand",
  "channel-revoked": "its channel is gone, so somebody must adopt it",
  "late-answer": "the payer answered after it had ended",
  "unordered-answer": "the payer's answers cannot be put in order",
  "lost-submission": "the payer may have a submission that is not on record",
  "unreadable-answer": "the payer's answer cannot be read",
};

const subjects: Readonly<Record<CaseSubject["kind"], string>> = {
  expiring: "A case is about to expire",
  gate: "A case waits",
  "needs-person": "A case needs a person",
  assigned: "A case is assigned to you",
  mention: "You are mentioned",
  ending: "An approval is about to end",
  emergency: "A case was opened in an emergency",
};

/** The mail that lists the cases waiting for a reviewer. It names practices; never a patient, a payer or a decision. */
export const caseMail = {
  subject({ cases, practices, kind, isTest }: CaseSubject): string {
    const test = isTest ? "[TEST] " : "";
    const where = practices.length === 1 ? ` at ${practices[0]}` : ` at ${practices.length} practices`;
    if (cases > 1) return `${test}${cases} cases wait${where}`;
    return `${test}${subjects[kind]}${where}`;
  },
  lead: (cases: number): string =>
    cases === 1 ? "This case waits for a reviewer:" : "These cases wait for a reviewer:",
  line({ shortId, practice, isUrgent, isTest, reasons }: CaseLine): string {
    const marks = [isUrgent && "urgent", isTest && "TEST"].filter(Boolean).join(", ");
    return `${shortId}, ${practice}${marks === "" ? "" : ` (${marks})`}: ${reasons.join("; ")}`;
  },
  /** Why a case needs a person; a reason that this version does not know has a general text. */
  attention: (attention: string): string =>
    Object.hasOwn(attentions, attention) ? attentions[attention as Attention] : "somebody must see to it",
  expiring: (waiting: WaitingAction): string => `${actions[waiting.action]} expires within a day${openUntil(waiting)}`,
  assigned: "assigned to you",
  mention: "a note mentions you",
  ending: "its approval is about to end or be used up, and no renewal is under way",
  emergency: "an admin opened it in an emergency",
  held: (waiting: WaitingAction): string => `${actions[waiting.action]} waits for release${openUntil(waiting)}`,
  /** Stands before the link to the reader's account page. */
  why: "You are told because you review for this practice. How you are told, you choose here:",
} as const;

const actions = { void: "a void", update: "an update", request: "a request" } as const;

function openUntil({ expires }: WaitingAction): string {
  if (!expires) return "";
  const { at, timeZone } = expires;
  return `, open until ${timeText(at, { timeZone })}`;
}

const changes: Readonly<Record<AccountChange, string>> = {
  "passkey-added": "A passkey was added.",
  "passkey-removed": "A passkey was removed.",
  "app-added": "An authenticator app was added.",
  "app-removed": "The authenticator app was removed.",
  "codes-made": "New recovery codes were made; those before them work no more.",
  "code-used": "A recovery code was used in place of your second factor.",
  reset: "An administrator took away your passkeys, authenticator app and recovery codes, and ended your sessions.",
  "password-chosen": "The password was changed.",
  linked: "An account of your single sign-on provider was linked; it signs in as you.",
  unlinked: "The account of your single sign-on provider was unlinked; it signs in as you no more.",
};

/** The mail that reports changes in how a person signs in. It holds no code and no name of a device. */
export const accountMail = {
  subject: `How you sign in changed: ${product}`,
  lead: "How you sign in changed:",
  line: (at: Date, change: AccountChange): string =>
    `${timeText(at, { year: "numeric", timeZone: "UTC" })}: ${changes[change]}`,
  /** Stands before the link to the reader's account page. */
  remedy:
    "If this was you, there is nothing to do. If it was not, tell your administrator now, and end your sessions and change your password here:",
} as const;

/** The mail with the link of an invitation. */
export const invitationMail = {
  subject: `You are invited: ${product}`,
  lead: "You are invited to review prior authorizations. Accept here, and choose how you sign in:",
} as const;

/** The mail with a link to choose a new password. */
export const newPasswordMail = {
  subject: `Choose a new password: ${product}`,
  lead: "An administrator asks you to choose a new password. The one you had works no more. Choose it here:",
} as const;

/** Ends both mails that hold a link. */
export const linkMailEnd =
  "The link works once, for 72 hours. If you expected no such letter, do nothing and tell your administrator.";

function timeText(at: Date, options: { readonly timeZone: string; readonly year?: "numeric" }): string {
  const parts = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  return new Intl.DateTimeFormat("en-US", { ...parts, ...options, timeZoneName: "short" }).format(at);
}
