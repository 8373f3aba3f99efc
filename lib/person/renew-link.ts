import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { savePassword } from "#lib/person/store/admin-people";
import { announce } from "#lib/db/announce";
import { putLink } from "#lib/person/store/password-links";
import { endSessionsOf } from "#lib/person/store/sessions";
import { administerProved } from "#lib/access/administer";
import { administersAllOf, denyBeyondReach, lockAdministeredPerson } from "./administered-person.ts";
import { refuseAdminAccount } from "./change-grants.ts";
import { peopleChain } from "./create-person.ts";
import type { InvitationLink } from "./invite-person.ts";
import { linkHours } from "#lib/person/model/link-hours";
import { newLinkToken } from "./password-link.ts";
import { isOnlyAdmin } from "./last-admin.ts";
import type { AdminRefusal } from "#lib/access/refusal";

/**
 * Creates a new link for a person and withdraws the one before. An invited person is invited again. A person with a
 * password has to choose another: the current password stops working and every session ends at once. Refuses an
 * administrator where a second one is wanted (`second-admin-first`), since whoever has the link has the role.
 */
export async function renewLink(
  ctx: Context,
  { id: given }: { id: string },
): Promise<Result<InvitationLink, AdminRefusal>> {
  const renewed = await administerProved(ctx, "what-it-reads", async (tx) => {
    const found = await lockAdministeredPerson(tx, ctx.actor, { id: given });
    if (!found.ok) return found;
    const person = found.value;
    if (!administersAllOf(ctx.actor, person)) return denyBeyondReach(tx, ctx.actor, person);
    const refused = await refuseAdminAccount(tx, ctx.actor, person);
    if (refused) return refused;
    if (person.status === "disabled") return refuse({ type: "account-deactivated" });
    const { id, email } = person;
    if (person.status === "active" && (await isOnlyAdmin(tx, ctx.actor, person))) return refuse({ type: "last-admin" });
    const { token, tokenHash } = newLinkToken();
    const endsAt = await putLink(tx, { personId: id, tokenHash, hours: linkHours, giver: ctx.actor });
    const value = { id, email, token, endsAt };
    if (person.status === "invited")
      return ok({ value, chain: peopleChain, entries: [{ act: "person.invited", detail: { person: id, endsAt } }] });
    await savePassword(tx, id, { passwordHash: null });
    const detail = { person: id, endsAt, sessionsEnded: await endSessionsOf(tx, { personId: id }) };
    return ok({ value, chain: peopleChain, entries: [{ act: "person.password-withdrawn", detail }] });
  });
  if (renewed.ok) announce(ctx.store, "people", renewed.value.id);
  return renewed;
}
