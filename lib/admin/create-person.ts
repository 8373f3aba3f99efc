import { z } from "zod";
import { hashPassword } from "#lib/auth/password";
import type { Context } from "#lib/context";
import { isAdmin } from "#lib/domain/actor";
import { ok, refuse, type Result } from "#lib/domain/result";
import { insertPerson } from "#lib/store/admin-people";
import { newId } from "#lib/store/new-id";
import { administer } from "./administer.ts";
import { checked, nameText, practiceList, roleList } from "./checked.ts";
import { strangersAmong } from "./known-practices.ts";
import { passwordProblem } from "./password-rule.ts";
import { denied } from "./denied.ts";
import type { AdminRefusal } from "./refusal.ts";

/** One @, something on either side, and nothing that would not show; whether mail arrives is not asked. */
const emailText = z
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
  .superRefine(({ password, email }, issues) => {
    const problem = passwordProblem(password, { email });
    if (problem !== undefined) issues.addIssue({ code: "custom", path: ["password"], message: problem });
  });

export type CreatePerson = {
  readonly email: string;
  /** Shown on pages; the part of the email before the @ where there is none. */
  readonly name?: string | undefined;
  readonly roles: readonly string[];
  /** Those a reviewer decides for. */
  readonly practices: readonly string[];
  readonly password: string;
};

/** Makes a reviewer, an admin, or both; the two powers are granted separately. Of the password only its argon2id hash is kept. */
export async function createPerson(ctx: Context, input: CreatePerson): Promise<Result<{ id: string }, AdminRefusal>> {
  if (!isAdmin(ctx.actor)) return denied(ctx, "change");
  const person = checked(personSchema, input);
  if (!person.ok) return person;
  const { email, name = email.split("@")[0] ?? email, roles, practices, password } = person.value;
  const passwordHash = await hashPassword(password);
  return administer(ctx, async (tx) => {
    const strangers = await strangersAmong(tx, practices);
    if (strangers) return strangers;
    const id = newId();
    const inserted = await insertPerson(tx, { id, email, name, roles, practices, passwordHash });
    if (!inserted) return refuse({ type: "taken", what: "email" });
    const detail = { person: id, roles, practices };
    return ok({ value: { id }, chain: peopleChain, entries: [{ act: "person.created", detail }] });
  });
}

/** The audit chain of people: their rights and their sessions. */
export const peopleChain = "people";
