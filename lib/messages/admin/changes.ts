import type { ChangeStatus, WideningChange } from "#lib/access/model/widening-change";
import { knownText } from "#lib/messages/known-text";
import { ruleLabels } from "#lib/messages/admin/practice";
import { roleText } from "#lib/messages/admin/person";

type Names = ReadonlyMap<string, string>;

/** What a change does, as a sentence without its full stop; `names` has channels, people and practices by their ids. */
export function changeText(change: WideningChange, names: Names): string {
  const name = (id: string) => names.get(id) ?? id;
  const where = (practiceId: string | undefined) => (practiceId === undefined ? "every practice" : name(practiceId));
  const list = (items: readonly string[]) => new Intl.ListFormat("en-US").format(items);
  switch (change.kind) {
    case "channel-practices":
      return `Give channel ${name(change.channelId)} access to ${list(change.practices.map(name))}`;
    case "admin-roles":
      return `Make ${name(change.personId)} an admin of ${list(change.roles.map(({ practiceId }) => where(practiceId)))}`;
    case "admin-invitation":
      return `Invite ${change.email} as ${list(
        change.roles.map(({ role, practiceId }) => `${roleName(role)} of ${where(practiceId)}`),
      )}`;
    case "admin-group":
      return `Make everyone in group ${change.group} an admin of ${where(change.practiceId)}`;
    case "fewer-releases":
      return `Lower the release rules of ${name(change.practiceId)}: ${list(
        change.rules.map(({ action, risk, from, ...to }) => {
          const before = from ? ` instead of ${releasersText(from)}` : "";
          return `${ruleLabels[`${action}-${risk}`]}, ${releasersText(to)}${before}`;
        }),
      )}`;
    case "second-admin-off":
      return `Stop asking a second admin to confirm changes of ${name(change.practiceId)}`;
    case "emergency-access-on":
      return `Let admins of ${name(change.practiceId)} open a case in an emergency`;
  }
}

function releasersText({ votes, stepUp }: { readonly votes: number; readonly stepUp: boolean }): string {
  if (votes === 1) return stepUp ? "1 reviewer who verifies their identity" : "1 reviewer";
  return `${votes} reviewers${stepUp ? " who verify their identity" : ""}`;
}

function roleName(role: string): string {
  return knownText(roleText, role) ?? role;
}

/** How a requested change stands. */
export const changeStatusText: Readonly<Record<ChangeStatus, string>> = {
  waiting: "Awaiting a second admin",
  confirmed: "Confirmed",
  rejected: "Rejected",
  withdrawn: "Withdrawn",
  expired: "Expired",
};

const done = {
  confirmed: "Confirmed. The change is in effect.",
  invited: "Confirmed. The invitation is on its way by email.",
  rejected: "Rejected. Nothing was changed.",
  withdrawn: "Withdrawn. Nothing was changed.",
} as const;

/** An act on a requested change, as the address of the page names it once it is done. */
export type ChangeDone = keyof typeof done;

export const changeDoneText = (act: unknown): string | undefined => knownText(done, act);
