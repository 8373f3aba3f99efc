import { z } from "zod";
import { hashPassword } from "#lib/person/sign-in/password";
import type { Context } from "#lib/access/context";
import { isAdmin } from "#lib/access/model/actor";
import { grantsOf } from "#lib/access/model/grant";
import { ok, refuse, type Result } from "#lib/platform/result";
import { insertPerson } from "#lib/person/store/admin-people";
import { newId } from "#lib/db/new-id";
import { administerProved } from "#lib/access/administer";
import { beyondReach, mayGrant } from "./administered-person.ts";
import { checkedLater, nameText, practiceList, roleList } from "#lib/access/checked";
import { strangersAmong } from "#lib/practice/known-practices";
import { passwordProblem } from "./password-rule.ts";
import { denied } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";

/** One @, something on either side, and nothing that would not show; whether mail arrives is not asked. */
export const emailText = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, "must be at most 254 characters")
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, "must be an email address");

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
      issues.addIssue({ code: "custom", path: ["practices"], message: "must name those a reviewer decides for" });
    const problem = await passwordProblem(password, { email });
    if (problem !== undefined) issues.addIssue({ code: "custom", path: ["password"], message: problem });
  });

export type CreatePerson = {
  readonly email: string;
  /** Shown on pages; the part of the email before the @ where there is none. */
  readonly name?: string | undefined;
  readonly roles: readonly string[];
  /** Where the roles are held; none is every practice, which no reviewer has. */
  readonly practices: readonly string[];
  readonly password: string;
};

/** Makes somebody who can sign in, by an admin of every practice their roles are for. Of the password only its argon2id hash is kept. */
export async function createPerson(ctx: Context, input: CreatePerson): Promise<Result<{ id: string }, AdminRefusal>> {
  if (!isAdmin(ctx.actor)) return denied(ctx, "change");
  const person = await checkedLater(personSchema, input);
  if (!person.ok) return person;
  const { email, name = email.split("@")[0] ?? email, roles, practices, password } = person.value;
  const passwordHash = await hashPassword(password);
  return administerProved(ctx, "what-it-reads", async (tx) => {
    const strangers = await strangersAmong(tx, ctx.actor, practices);
    if (strangers) return strangers;
    const grants = grantsOf(roles, practices);
    if (!mayGrant(ctx.actor, grants)) return beyondReach;
    const id = newId();
    const inserted = await insertPerson(tx, { id, email, name, grants, passwordHash });
    if (!inserted) return refuse({ type: "taken", what: "email" });
    const detail = { person: id, roles, practices };
    return ok({ value: { id }, chain: peopleChain, entries: [{ act: "person.created", detail }] });
  });
}

/** The audit chain of people: their rights and their sessions. */
export const peopleChain = "people";
