import type { AccountChange, AccountItem } from "#lib/person/store/account-mail";
import type { DueMailFor } from "#lib/person/store/mail-outbox";
import type { Letter } from "./mailer.ts";

const words: Readonly<Record<AccountChange, string>> = {
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

/**
 * The letter that tells somebody of changes in how they sign in: what and when, and what to do if it was not them. No
 * code, no name of a device, and no link that does anything.
 */
export function accountLetter({ email, items }: DueMailFor<AccountItem>, publicUrl: string): Letter {
  const lines = items.map(({ change, created_at: at }) => `${timeText(at)}: ${words[change]}`);
  const account = `${publicUrl}/account`;
  const lead = "How you sign in changed:";
  const rest =
    "If this was you, there is nothing to do. If it was not, tell your administrator now, and end your sessions and change your password here:";
  const listed = lines.map((line) => `<li>${line}</li>`);
  return {
    to: email,
    subject: "How you sign in changed: Prior authorization",
    text: [lead, "", ...lines.map((line) => `- ${line}`), "", rest, account, ""].join("\n"),
    html: [`<p>${lead}</p>`, "<ul>", ...listed, "</ul>", `<p>${rest} <a href="${account}">${account}</a></p>`].join(
      "\n",
    ),
    messageId: `<${items[0]?.id ?? ""}@${new URL(publicUrl).hostname}>`,
  };
}

function timeText(at: Date): string {
  const parts = { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" } as const;
  return new Intl.DateTimeFormat("en-US", {
    ...parts,
    hourCycle: "h23",
    timeZone: "UTC",
    timeZoneName: "short",
  }).format(at);
}
