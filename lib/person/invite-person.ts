import { z } from "zod";
import type { Context } from "#lib/access/context";
import type { Actor } from "#lib/access/model/actor";
import { rolesRecord, type Grant } from "#lib/access/model/grant";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertPerson } from "#lib/person/store/admin-people";
import { newId } from "#lib/db/new-id";
import { putLink } from "#lib/person/store/password-links";
import { administerProved, type ActResult } from "#lib/access/administer";
import { requestChange } from "#lib/access/second-admin";
import type { Tx } from "#lib/db/db";
import { personProblems } from "#lib/messages/problems/admin";
import { beyondReach, mayGrant } from "./administered-person.ts";
import { adminGrantsWaiting, grantList, scopeOf } from "./change-grants.ts";
import { validate } from "#lib/access/validate";
import { emailText, peopleChain } from "./create-person.ts";
import { refuseUnknownPractices } from "#lib/practice/refuse-unknown-practices";
import { linkHours } from "#lib/person/model/link-hours";
import { newLinkToken } from "./password-link.ts";
import type { AdminRefusal } from "#lib/access/refusal";

const schema = z.object({ email: emailText, roles: grantList.min(1, personProblems.oneGrant) });

export type InvitePerson = {
  readonly email: string;
  readonly roles: readonly { readonly role: string; readonly practiceId?: string | undefined }[];
};

/** A person's link. This is the only time it is returned: the service stores its token's hash. */
export type InvitationLink = {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly endsAt: Date;
};

/** The link, or the id of the invitation that waits for a second administrator. */
export type Invitation = InvitationLink | { readonly awaiting: string; readonly email: string };

/**
 * Invites a person by email, with the roles they will have. They choose name and password through the link. Where they
 * are to be an administrator and a second one is wanted, the whole invitation waits until one confirms.
 */
export async function invitePerson(ctx: Context, input: InvitePerson): Promise<Result<Invitation, AdminRefusal>> {
  return administerProved<Invitation>(ctx, "what-it-reads", async (tx) => {
    const parsed = validate(schema, input);
    if (!parsed.ok) return parsed;
    const { email, roles: grants } = parsed.value;
    const waiting = await adminGrantsWaiting(tx, ctx.actor, grants);
    if (waiting.length === 0) return makeInvitation(tx, ctx.actor, parsed.value);
    const refused = await refuseGrants(tx, ctx.actor, grants);
    if (refused) return refused;
    const { id, entry } = await requestChange(tx, ctx.actor, {
      change: { kind: "admin-invitation", email, roles: [...grants] },
      scope: scopeOf(grants),
    });
    return ok({ value: { awaiting: id, email }, chain: peopleChain, entries: [entry] });
  });
}

/** Makes the account that waits to be accepted, with its link; also where a second administrator confirms it. */
export async function makeInvitation(
  tx: Tx,
  actor: Actor,
  { email, roles: grants }: { readonly email: string; readonly roles: readonly Grant[] },
): Promise<Result<ActResult<InvitationLink>, AdminRefusal>> {
  const refused = await refuseGrants(tx, actor, grants);
  if (refused) return refused;
  const id = newId();
  const person = { id, email, name: email.split("@")[0] ?? email, grants };
  if (!(await insertPerson(tx, person))) return refuse({ type: "taken", what: "email" });
  const { token, tokenHash } = newLinkToken();
  const endsAt = await putLink(tx, { personId: id, tokenHash, hours: linkHours, giver: actor });
  const detail = { person: id, roles: rolesRecord(grants), endsAt };
  return ok({
    value: { id, email, token, endsAt },
    chain: peopleChain,
    entries: [{ act: "person.invited", detail }],
  });
}

async function refuseGrants(tx: Tx, actor: Actor, grants: readonly Grant[]) {
  const named = [...new Set(grants.flatMap(({ practiceId }) => practiceId ?? []))];
  const unknown = await refuseUnknownPractices(tx, actor, named);
  if (unknown) return unknown;
  return mayGrant(actor, grants) ? undefined : beyondReach;
}
