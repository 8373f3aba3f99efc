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
import { validate } from "#lib/access/validate";
import { emailText, peopleChain } from "./create-person.ts";
import { refuseUnknownPractices } from "#lib/practice/refuse-unknown-practices";
import { linkHours, newLinkToken } from "./password-link.ts";
import type { AdminRefusal } from "#lib/access/refusal";

const schema = z.object({ email: emailText, roles: grantList.min(1, "must hold at least one") });

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

/** Invites a person by email, with the roles they will have. They choose name and password through the link. */
export async function invitePerson(ctx: Context, input: InvitePerson): Promise<Result<InvitationLink, AdminRefusal>> {
  return administerProved(ctx, "what-it-reads", async (tx) => {
    const parsed = validate(schema, input);
    if (!parsed.ok) return parsed;
    const { email, roles: grants } = parsed.value;
    const unknown = await refuseUnknownPractices(tx, ctx.actor, [
      ...new Set(grants.flatMap(({ practiceId }) => practiceId ?? [])),
    ]);
    if (unknown) return unknown;
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
