import type { Context } from "#lib/access/context";
import { ok, refuse, type Result } from "#lib/platform/result";
import { ownsChannel, removeInvited } from "#lib/person/store/admin-people";
import { administer } from "#lib/access/administer";
import { personProblems } from "#lib/messages/problems/admin";
import { administersAllOf, denyBeyondReach, lockAdministeredPerson } from "./administered-person.ts";
import { peopleChain } from "./create-person.ts";
import type { AdminRefusal } from "#lib/access/refusal";

/**
 * Withdraws an invitation that was not accepted yet: its link and its link to a provider stop working, and the email can be
 * invited again. Refuses the owner of a channel.
 */
export async function withdrawInvitation(
  ctx: Context,
  { id: given }: { id: string },
): Promise<Result<undefined, AdminRefusal>> {
  return administer(ctx, "what-it-reads", async (tx) => {
    const found = await lockAdministeredPerson(tx, ctx.actor, { id: given });
    if (!found.ok || found.value.status !== "invited") return refuse({ type: "not-found", what: "invitation" });
    const person = found.value;
    if (!administersAllOf(ctx.actor, person)) return denyBeyondReach(tx, ctx.actor, person);
    const { id } = person;
    // From before an owner had to be somebody who can sign in.
    if (await ownsChannel(tx, id))
      return refuse({ type: "invalid", issues: [{ field: "owner", problem: personProblems.ownerFirst }] });
    await removeInvited(tx, id);
    const entries = [{ act: "person.invitation-withdrawn", detail: { person: id } }] as const;
    return ok({ value: undefined, chain: peopleChain, entries });
  });
}
