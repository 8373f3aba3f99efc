import { z } from "zod";
import type { Context } from "#lib/access/context";
import { rolesRecord } from "#lib/access/model/grant";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertPerson } from "#lib/person/store/admin-people";
import { newId } from "#lib/db/new-id";
import { putLink } from "#lib/person/store/password-links";
import { administerProved } from "#lib/access/administer";
import { beyondReach, mayGrant } from "./administered-person.ts";
import { grantList } from "./change-grants.ts";
import { checked } from "#lib/access/checked";
import { emailText, peopleChain } from "./create-person.ts";
import { strangersAmong } from "#lib/practice/known-practices";
import { linkHours, newLinkToken } from "./password-link.ts";
import type { AdminRefusal } from "#lib/access/refusal";

const schema = z.object({ email: emailText, roles: grantList.min(1, "must hold at least one") });

export type InvitePerson = {
  readonly email: string;
  readonly roles: readonly { readonly role: string; readonly practiceId?: string | undefined }[];
};

/** A person's link, given this one time: only its token's hash is kept. */
export type InvitationLink = {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  readonly endsAt: Date;
};

/** Invites somebody by email with what they will be able to do. They choose name and password by the link. */
export async function invitePerson(ctx: Context, input: InvitePerson): Promise<Result<InvitationLink, AdminRefusal>> {
  return administerProved(ctx, "what-it-reads", async (tx) => {
    const wanted = checked(schema, input);
    if (!wanted.ok) return wanted;
    const { email, roles: grants } = wanted.value;
    const strangers = await strangersAmong(tx, ctx.actor, [
      ...new Set(grants.flatMap(({ practiceId }) => practiceId ?? [])),
    ]);
    if (strangers) return strangers;
    if (!mayGrant(ctx.actor, grants)) return beyondReach;
    const id = newId();
    const person = { id, email, name: email.split("@")[0] ?? email, grants };
    if (!(await insertPerson(tx, person))) return refuse({ type: "taken", what: "email" });
    const { token, tokenHash } = newLinkToken();
    const endsAt = await putLink(tx, { personId: id, tokenHash, hours: linkHours, giver: ctx.actor });
    const detail = { person: id, roles: rolesRecord(grants), endsAt };
    return ok({
      value: { id, email, token, endsAt },
      chain: peopleChain,
      entries: [{ act: "person.invited", detail }],
    });
  });
}
