import { z } from "zod";
import { hashPassword } from "#lib/person/sign-in/password";
import type { Context } from "#lib/access/context";
import { isAdmin } from "#lib/access/model/actor";
import { grantsOf } from "#lib/access/model/grant";
import { ok, refuse, type Result } from "#lib/platform/result";
import { accountEmail } from "#lib/person/model/account-email";
import { insertPerson } from "#lib/person/store/admin-people";
import { newId } from "#lib/db/new-id";
import { administerProved } from "#lib/access/administer";
import { wantingSecondAdmin } from "#lib/access/second-admin";
import { personProblems } from "#lib/messages/problems/admin";
import { problems } from "#lib/messages/problems/field";
import { beyondReach, mayGrant } from "./administered-person.ts";
import { validateAsync, nameText, practiceList, roleList } from "#lib/access/validate";
import { refuseUnknownPractices } from "#lib/practice/refuse-unknown-practices";
import { passwordProblem } from "./password-rule.ts";
import { deny } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";

/**
 * One @ with something on either side, and no invisible characters: nobody sees what they do to the address. Whether mail
 * arrives is not checked.
 */
export const emailText = z
  .string()
  .overwrite(accountEmail)
  .max(254, problems.charactersMax(254))
  .regex(
    /^[^\s@\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+@[^\s@\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u,
    personProblems.emailAddress,
  );

export const personSchema = z
  .object({
    email: emailText,
    name: nameText.optional(),
    roles: roleList,
    practices: practiceList,
    password: z.string(),
  })
  .superRefine(async ({ password, email, roles, practices }, issues) => {
    if (roles.includes("reviewer") && practices.length === 0)
      issues.addIssue({ code: "custom", path: ["practices"], message: personProblems.decidingRoles });
    const problem = await passwordProblem(password, { email });
    if (problem !== undefined) issues.addIssue({ code: "custom", path: ["password"], message: problem });
  });

export type CreatePerson = {
  readonly email: string;
  /** The name on pages; by default the part of the email before the @. */
  readonly name?: string | undefined;
  readonly roles: readonly string[];
  /** The practices of the roles; an empty list means every practice, which a reviewer cannot have. */
  readonly practices: readonly string[];
  readonly password: string;
};

/**
 * Creates an account with a password, by an administrator of every practice of its roles. Only the argon2id hash of the
 * password is stored.
 */
export async function createPerson(ctx: Context, input: CreatePerson): Promise<Result<{ id: string }, AdminRefusal>> {
  if (!isAdmin(ctx.actor)) return deny(ctx, "change");
  const person = await validateAsync(personSchema, input);
  if (!person.ok) return person;
  const { email, name = email.split("@")[0] ?? email, roles, practices, password } = person.value;
  const passwordHash = await hashPassword(password);
  return administerProved(ctx, "what-it-reads", async (tx) => {
    const unknown = await refuseUnknownPractices(tx, ctx.actor, practices);
    if (unknown) return unknown;
    const grants = grantsOf(roles, practices);
    if (!mayGrant(ctx.actor, grants)) return beyondReach;
    if (
      (await wantingSecondAdmin(tx, ctx.actor, practices.length > 0 ? practices : "every")).length > 0 &&
      roles.includes("admin")
    )
      return refuse({ type: "invalid", issues: [{ field: "roles", problem: secondAdminProblem }] });
    const id = newId();
    const inserted = await insertPerson(tx, { id, email, name, grants, passwordHash });
    if (!inserted) return refuse({ type: "taken", what: "email" });
    const detail = { person: id, roles, practices };
    return ok({ value: { id }, chain: peopleChain, entries: [{ act: "person.created", detail }] });
  });
}

const secondAdminProblem = personProblems.inviteAdmin;

/** The audit chain of people: their roles and their sessions. */
export const peopleChain = "people";
