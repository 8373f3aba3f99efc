import { linkHours } from "#lib/person/model/link-hours";
import type { AccountChange } from "#lib/person/model/account-change";
import type { MailKind } from "#lib/person/model/notification";
import { knownAttentionLabel } from "./reviewer/case.ts";

/** What ends the subject of a mail about an account: the name of the product. */
const product = "Prior authorization";

type CaseSubject = {
  readonly cases: number;
  /** The names of the practices, each once. */
  readonly practices: readonly string[];
  /** What stands foremost; it is in the subject of a mail about one case. */
  readonly kind: MailKind;
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

const subjects: Readonly<Record<CaseSubject["kind"], string>> = {
  expiring: "A request awaiting release is about to expire",
  gate: "A request awaits release",
  "needs-person": "Action required on a case",
  assigned: "A case was assigned to you",
  mention: "You were mentioned in a note",
  ending: "An approval is about to end",
  emergency: "A case was opened in an emergency",
};

/** The mail that lists cases that somebody should look at. It names practices; never a patient, a payer or a decision. */
export const caseMail = {
  subject({ cases, practices, kind, isTest }: CaseSubject): string {
    const test = isTest ? "[TEST] " : "";
    const where = practices.length === 1 ? ` at ${practices[0]}` : ` at ${practices.length} practices`;
    if (cases > 1) return `${test}${cases} cases need your attention${where}`;
    return `${test}${subjects[kind]}${where}`;
  },
  lead: (cases: number): string =>
    cases === 1 ? "This case needs your attention:" : "These cases need your attention:",
  line({ shortId, practice, isUrgent, isTest, reasons }: CaseLine): string {
    const marks = [isUrgent && "urgent", isTest && "TEST"].filter(Boolean).join(", ");
    return `${shortId}, ${practice}${marks === "" ? "" : ` (${marks})`}: ${reasons.join("; ")}`;
  },
  /** Why a case needs a person, as its page says it; a reason that this version does not know has a general text. */
  attention: (attention: string, state: string): string =>
    (knownAttentionLabel(attention, state) ?? "Action required").replace(/^./, (first) => first.toLowerCase()),
  expiring: (waiting: WaitingAction): string => `${actions[waiting.action]} expires within a day${openUntil(waiting)}`,
  assigned: "assigned to you",
  mention: "a note mentions you",
  ending: "its approval is about to end or be used up, and no renewal is under way",
  emergency: "an admin opened it in an emergency",
  gate: (waiting: WaitingAction): string => `${actions[waiting.action]} awaits release${openUntil(waiting)}`,
  /** Why the reader gets it. Unless all of it is about emergencies, it stands before the link to their choices. */
  why(kinds: readonly MailKind[], practices: number): string {
    const where = practices === 1 ? "this practice" : "these practices";
    const always = "Email about emergency access can't be turned off.";
    if (kinds.every((kind) => kind === "emergency"))
      return `You get this email because you review for ${where} or administer ${practices === 1 ? "it" : "them"}. ${always}`;
    const because = `You get this email because you review for ${where}.`;
    return kinds.includes("emergency")
      ? `${because} ${always} Choose what else you are notified about:`
      : `${because} Choose what you are notified about:`;
  },
} as const;

const actions = { void: "a void", update: "an update", request: "a request" } as const;

function openUntil({ expires }: WaitingAction): string {
  if (!expires) return "";
  const { at, timeZone } = expires;
  return `, open until ${timeText(at, timeZone)}`;
}

const changes: Readonly<Record<AccountChange, string>> = {
  "passkey-added": "A passkey was added.",
  "passkey-removed": "A passkey was removed.",
  "app-added": "An authenticator app was added.",
  "app-removed": "The authenticator app was removed.",
  "codes-made": "New recovery codes were created. The earlier ones no longer work.",
  "code-used": "A recovery code was used in place of your second factor.",
  reset: "An admin removed your passkeys, authenticator app and recovery codes, and ended your sessions.",
  "password-chosen": "The password was changed.",
  linked: "An account of your single sign-on provider was linked. You can sign in with it.",
  unlinked: "The account of your single sign-on provider was unlinked. You can no longer sign in with it.",
};

/** The mail that reports changes in how a person signs in. It holds no code and no name of a device. */
export const accountMail = {
  subject: `How you sign in changed: ${product}`,
  lead: "How you sign in changed:",
  line: (at: Date, change: AccountChange): string => `${timeText(at, "UTC")}: ${changes[change]}`,
  /** Stands before the link to the reader's account page. */
  remedy:
    "If this was you, you don't need to do anything. If it wasn't, tell your admin now, then end your sessions and change your password here:",
} as const;

/** The mail that asks an admin to look at what another one wants changed. It names nobody and no practice. */
export const changeMail = {
  subject: (changes: number): string =>
    changes === 1
      ? `A change awaits a second admin: ${product}`
      : `${changes} changes await a second admin: ${product}`,
  lead: (changes: number, until: Date): string => {
    const what = changes === 1 ? "Another admin asked for a change" : `Other admins asked for ${changes} changes`;
    const when = timeText(until, "UTC");
    return `${what} that you can confirm or reject until ${when}${changes === 1 ? "" : " at the earliest"}:`;
  },
  note: "You get this email because you administer everything that is to change. If you didn't expect it, talk to whoever asked before you confirm.",
} as const;

/** The mail with the link of an invitation. */
export const invitationMail = {
  subject: `You are invited: ${product}`,
  lead: "You are invited to work on prior authorizations. Accept the invitation and choose how you sign in:",
} as const;

/** The mail with a link to choose a new password. */
export const newPasswordMail = {
  subject: `Choose a new password: ${product}`,
  lead: "An admin reset your password. The earlier one no longer works. Choose a new one here:",
} as const;

/** Ends both mails that hold a link. */
export const linkMailEnd = `The link works once and expires after ${linkHours} hours. If you didn't expect this email, ignore it and tell your admin.`;

function timeText(at: Date, timeZone: string): string {
  const parts = {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h12",
  } as const;
  const text = new Intl.DateTimeFormat("en-US", { ...parts, timeZone, timeZoneName: "short" }).format(at);
  // Some programs for mail draw the narrow space before AM and PM as a box.
  return text.replaceAll("\u202F", " ");
}
