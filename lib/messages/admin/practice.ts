import { linesOfBusiness } from "#lib/messages/labels/lines-of-business";
import { knownText } from "#lib/messages/known-text";
import type { NotificationStatus } from "#lib/practice/list-practices";
import type { Risk } from "#lib/task/model/vote-rule";
import type { Action } from "#lib/task/model/task";

/** The line of business of a payer connection, which decides the payer's legal time to decide. */
export const lineText = (line: string | undefined): string =>
  knownText(linesOfBusiness, line) ?? linesOfBusiness.unknown;

/** Every line of business, for a field of choices. */
export const lineOptions = Object.entries(linesOfBusiness).map(([value, text]) => ({ value, text }));

/** How a payer's answers arrive, in a column of that name. */
export function notificationText(status: NotificationStatus): string {
  switch (status.type) {
    case "recorded":
      return "Recorded by a reviewer";
    case "polled":
      return "Checked for regularly";
    case "polled-without-requests":
      return "Checked for regularly. Requests for information are missed";
    case "pushing":
      return "Notifications arrive";
    case "subscribed":
      return "Notifications agreed, none received yet";
    case "not-subscribed":
      return status.problem === undefined
        ? "Notifications not set up yet"
        : `Notifications not set up: ${status.problem}`;
  }
}

/** The actions that a practice has release rules for. */
export const ruleLabels: Readonly<Record<`${Action}-${Risk}`, string>> = {
  "transmit-ordinary": "Submission",
  "transmit-high": "Submission with a warning",
  "void-ordinary": "Void before a decision",
  "void-high": "Void after a decision or with a warning",
};

/** How the test of a payer connection stands that is not active yet. */
export function draftTestText(connector: string, test: { readonly ok: boolean } | undefined): string {
  if (connector === "manual") return "Not needed";
  if (!test) return "Not tested";
  return test.ok ? "Passed" : "Failed";
}

const done = {
  made: "Practice created. Next, add a payer connection.",
  settings: "Saved.",
  timing: "Timing saved. Requests already awaiting release keep their expiry and target.",
  rules: "Release rules saved. They also apply to requests awaiting release.",
  "rules-waiting": "Saved. The rules that ask for less await a second admin.",
  warnings: "Saved. It also applies to requests awaiting release.",
  "auto-review": "Automatic review saved. It also applies to requests awaiting release.",
  security: "Security saved. It takes effect on everyone's next page.",
  "second-admin": "Saved. A second admin now confirms what widens access.",
  "second-admin-waiting": "Requested. A second admin has to confirm that no second admin is needed.",
  "emergency-waiting": "Requested. A second admin has to confirm that admins may open a case in an emergency.",
  line: "Line of business saved. The deadlines of open cases follow it.",
  providers: "Providers saved. They also apply to requests awaiting release.",
  route: "Payer connection active. Requests awaiting release were prepared again for it.",
  discarded: "Discarded. Active payer connections are unchanged.",
  tested: "Tested. The result of each step is below.",
  sso: "Saved. Only single sign-on works for this practice now.",
  passwords: "Saved. Passwords work for this practice again.",
  suspended: "Practice suspended. Channels can't access it, and nothing is submitted for it.",
  resumed: "Practice active again.",
} as const;

/** An act on a practice, as the address of its page names it once it is done. */
export type PracticeDone = keyof typeof done;

export const practiceDoneText = (act: unknown): string | undefined => knownText(done, act);
