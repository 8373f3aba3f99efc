import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lockAdmins, isAdminLinked, peopleWithoutLink } from "#lib/person/shared/admins";
import { lockPractice } from "#lib/practice/shared/practices";
import { updatePractice } from "#lib/practice/store/admin-practices";
import { announce } from "#lib/db/announce";
import { administerProved } from "#lib/access/administer";
import type { AdminRefusal } from "#lib/access/refusal";

export type SetSsoOnly = {
  readonly practiceId: string;
  readonly on: boolean;
  /** Whether a provider is configured; the command line alone has to say so. */
  readonly hasProvider?: boolean | undefined;
};

/**
 * Sets whether people with a role in the practice must use single sign-on. When on, a password opens nothing for them;
 * sessions begun with a password lose their roles in the practice, and their roles over every practice, at once. Only a
 * person who signed in through the provider turns it on, and only where an administrator of every practice could sign
 * in that way too (`sso-first`, `admins-unlinked`), so that not everyone is locked out. The operator can always turn it
 * off. Returns how many people of the practice are not linked to the provider yet.
 */
export async function setSsoOnly(
  ctx: Context,
  { practiceId, on, hasProvider = false }: SetSsoOnly,
): Promise<Result<{ unlinked: number }, AdminRefusal>> {
  const { actor } = ctx;
  const set = await administerProved(ctx, { practiceId }, async (tx) => {
    const practice = await lockPractice(tx, practiceId);
    if (!practice) return refuse({ type: "not-found", what: "practice" });
    const knows = actor.kind === "operator" ? hasProvider : actor.kind === "person" && actor.issuer !== undefined;
    if (on && !knows) return refuse({ type: "sso-first" });
    await lockAdmins(tx);
    if (on && actor.kind === "person" && !(await isAdminLinked(tx, actor.issuer ?? "")))
      return refuse({ type: "admins-unlinked" });
    const people = await peopleWithoutLink(tx, practiceId);
    const value = { unlinked: people.length, people };
    if (practice.ssoOnly === on) return ok({ value, chain: practiceId, entries: [] });
    await updatePractice(tx, practiceId, { ssoOnly: on });
    const detail = { from: practice.ssoOnly, to: on };
    return ok({ value, chain: practiceId, entries: [{ act: "practice.sso-only-set", detail }] });
  });
  if (!set.ok) return set;
  for (const personId of set.value.people) announce(ctx.store, "people", personId);
  return ok({ unlinked: set.value.unlinked });
}
