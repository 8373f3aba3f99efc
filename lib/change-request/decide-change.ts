import { administer, administerProved, type ActResult, type Entry } from "#lib/access/administer";
import type { Context } from "#lib/access/context";
import { denyOutOfReach } from "#lib/access/deny";
import type { Actor, Reach } from "#lib/access/model/actor";
import type { WideningChange, WideningKind } from "#lib/access/model/widening-change";
import type { AdminRefusal } from "#lib/access/refusal";
import { administersScope } from "#lib/access/second-admin";
import { lockChangeRequest, markDecided, type ChangeRequest } from "#lib/access/shared/change-requests";
import { channelChain } from "#lib/audit/model/channel-chain";
import { addChannelPractices } from "#lib/channel/change-channel-access";
import { announce } from "#lib/db/announce";
import type { Tx } from "#lib/db/db";
import { addGrants } from "#lib/person/change-grants";
import { peopleChain } from "#lib/person/create-person";
import { isStillAdmin } from "#lib/person/is-still-authorized";
import { makeInvitation, type InvitationLink } from "#lib/person/invite-person";
import { addGroupGrant } from "#lib/person/map-group";
import { ok, refuse, type Result } from "#lib/platform/result";
import { allowEmergencyAccess } from "#lib/practice/set-emergency-access";
import { endSecondAdmin } from "#lib/practice/set-second-admin";
import { lowerVoteRules } from "#lib/practice/set-vote-rules";
import { isUuid } from "#lib/platform/uuid";

export type ConfirmedChange = {
  readonly change: WideningChange;
  /** Where it was an invitation, the link, which is returned this one time. */
  readonly invited?: InvitationLink | undefined;
};

/**
 * Confirms a change that another administrator asked for, and makes it in the same commit. Whoever asked cannot confirm
 * (`own-request`), nor can somebody who does not administer everything it concerns, to whom it is not there and whose denial is on record. It is over (`request-over`)
 * once whoever asked could not ask any more.
 */
export async function confirmChange(
  ctx: Context,
  { id }: { readonly id: string },
): Promise<Result<ConfirmedChange, AdminRefusal>> {
  const confirmed = await administerProved<ConfirmedChange>(ctx, "what-it-reads", async (tx) => {
    const found = await findWaiting(tx, ctx.actor, id);
    if (!found.ok) return found;
    const { change, requestedBy, scope } = found.value;
    if (ctx.actor.kind !== "person" || ctx.actor.id === requestedBy) return refuse({ type: "own-request" });
    if (!(await isStillAdmin(tx, { personId: requestedBy, scope }))) return refuse({ type: "request-over" });
    const made = await make(tx, ctx.actor, found.value);
    if (!made.ok) return made;
    await markDecided(tx, id, { status: "confirmed", by: ctx.actor.id });
    const entry: Entry = { act: "change.confirmed", detail: detailOf(found.value) };
    const { invited, chain, entries } = made.value;
    return ok({ value: { change, invited }, chain, entries: [entry, ...entries] });
  });
  if (confirmed.ok && confirmed.value.change.kind === "admin-roles")
    announce(ctx.store, "people", confirmed.value.change.personId);
  return confirmed;
}

/** Closes a change that waits: whoever asked withdraws it, any other administrator rejects it. */
export async function closeChange(
  ctx: Context,
  { id }: { readonly id: string },
): Promise<Result<{ readonly status: "rejected" | "withdrawn" }, AdminRefusal>> {
  return administer<{ readonly status: "rejected" | "withdrawn" }>(ctx, "what-it-reads", async (tx) => {
    const found = await findWaiting(tx, ctx.actor, id);
    if (!found.ok) return found;
    if (ctx.actor.kind !== "person") return refuse({ type: "not-authorised" });
    const { change, requestedBy } = found.value;
    const status = ctx.actor.id === requestedBy ? "withdrawn" : "rejected";
    await markDecided(tx, id, { status, by: ctx.actor.id });
    const entry: Entry = { act: `change.${status}`, detail: detailOf(found.value) };
    return ok({ value: { status }, chain: chainOf(change), entries: [entry] });
  });
}

async function findWaiting(tx: Tx, actor: Actor, id: string): Promise<Result<ChangeRequest, AdminRefusal>> {
  const request = isUuid(id) ? await lockChangeRequest(tx, id) : undefined;
  if (!request) return refuse({ type: "not-found", what: "change" });
  if (!administersScope(actor, request.scope))
    return denyOutOfReach(tx, actor, { what: "change", id, practices: reachOf(request) });
  return request.status === "waiting" ? ok(request) : refuse({ type: "request-over" });
}

/** With the practices it concerns, so that auditors of others do not see it. */
function detailOf(request: ChangeRequest) {
  const { id, change, requestedBy } = request;
  return { change: id, kind: change.kind, requestedBy, practices: reachOf(request) };
}

const reachOf = ({ scope }: Pick<ChangeRequest, "scope">): Reach => (scope.length === 0 ? "every" : scope);

function chainOf(change: WideningChange): string {
  switch (change.kind) {
    case "channel-practices":
      return channelChain(change.channelId);
    case "admin-roles":
    case "admin-invitation":
    case "admin-group":
      return peopleChain;
    case "fewer-releases":
    case "second-admin-off":
    case "emergency-access-on":
      return change.practiceId;
  }
}

type ActOutcome = Omit<ActResult<undefined>, "value"> & { readonly invited?: InvitationLink | undefined };
type Of<Kind extends WideningKind> = Extract<WideningChange, { readonly kind: Kind }>;

/** Makes the change as the second administrator, with the rules of the verb that asked for it. */
async function make(
  tx: Tx,
  actor: Actor,
  { change, requestedBy }: ChangeRequest,
): Promise<Result<ActOutcome, AdminRefusal>> {
  const chain = chainOf(change);
  const entered = (entries: Result<readonly Entry[], AdminRefusal>): Result<ActOutcome, AdminRefusal> =>
    entries.ok ? ok({ chain, entries: entries.value }) : entries;
  switch (change.kind) {
    case "channel-practices":
      return entered(await addChannelPractices(tx, actor, change));
    case "admin-roles":
      return entered(await addGrants(tx, actor, change));
    case "admin-invitation":
      return invite(tx, actor, change);
    case "admin-group": {
      const { issuer, group, practiceId } = change;
      const grant = { issuer, group, role: "admin", practiceId, requestedBy } as const;
      return ok({ chain, entries: await addGroupGrant(tx, actor, grant) });
    }
    case "fewer-releases":
      return entered(await lowerVoteRules(tx, change));
    case "second-admin-off":
      return entered(await endSecondAdmin(tx, change.practiceId));
    case "emergency-access-on":
      return entered(await allowEmergencyAccess(tx, change.practiceId));
  }
}

async function invite(tx: Tx, actor: Actor, change: Of<"admin-invitation">): Promise<Result<ActOutcome, AdminRefusal>> {
  const made = await makeInvitation(tx, actor, {
    email: change.email,
    // Safe because only roles that were checked are kept.
    roles: change.roles as Parameters<typeof makeInvitation>[2]["roles"],
  });
  return made.ok ? ok({ ...made.value, invited: made.value.value }) : made;
}
