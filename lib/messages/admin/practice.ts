import { knownText } from "#lib/messages/known-text";
import type { NotificationStatus } from "#lib/practice/list-practices";
import { linesOfBusiness } from "#lib/task/model/decision-times";

/** The line of business of a payer connection, which decides the payer's legal time to decide. */
export const lineText = (line: string | undefined): string =>
  knownText(linesOfBusiness, line) ?? linesOfBusiness.unknown;

/** Every line of business, for a field of choices. */
export const lineOptions = Object.entries(linesOfBusiness).map(([value, text]) => ({ value, text }));

/** How a payer's answers arrive between two inquiries, as the end of a sentence that begins with the payer. */
export function notificationText(status: NotificationStatus): string {
  switch (status.type) {
    case "polled":
      return "is asked";
    case "polled-without-requests":
      return "is asked, and requests for more go unheard";
    case "pushing":
      return "pushes";
    case "subscribed":
      return "agreed to push, and has not come yet";
    case "not-subscribed":
      return status.problem ?? "will be asked to push";
  }
}

const done = {
  made: "Made. A channel reaches it once you tick it on the channel's page.",
  renamed: "Renamed.",
  settings: "Saved. Gates that are open keep their expiry.",
  targets: "Saved. What waits already keeps its target.",
  rules: "Saved. It holds at once, for what waits at a gate too.",
  warnings: "Saved. It holds at once, for what waits at a gate too.",
  "second-factor": "Saved. It holds from the next page anybody opens.",
  line: "Saved. The clocks of the payer's open cases follow it.",
  providers: "Saved. It holds at once, for what waits at a gate too.",
  route: "In force. Gates that were open on the version before are superseded by gates on this one.",
  tested: "Tested. How each step went stands below.",
  sso: "Saved. Passwords open nothing here any more; who was signed in by one has lost this practice.",
  passwords: "Saved. Passwords open this practice again.",
  suspended: "Suspended. No channel reaches it, and nothing is sent for it.",
  resumed: "Active again.",
} as const;

/** An act on a practice, as the address of its page names it once it is done. */
export type PracticeDone = keyof typeof done;

export const practiceDoneText = (act: unknown): string | undefined => knownText(done, act);
