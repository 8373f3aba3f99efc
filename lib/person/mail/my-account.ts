import { z } from "zod";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { AdminRefusal } from "#lib/access/refusal";
import { validate } from "#lib/access/validate";
import { env } from "#lib/platform/env";
import { ok, type Result } from "#lib/platform/result";
import { deliveries, notificationKinds, type NotificationChoice } from "#lib/person/model/notification";
import { readAccount, saveNotificationChoice, type Account } from "#lib/person/store/notification-choice";
import { accountProblems } from "#lib/messages/problems/account";

/** The actor's own account, and whether this service sends mail at all. */
export async function myAccount(ctx: Context<PersonActor>): Promise<Account & { readonly isMailSent: boolean }> {
  return { ...(await readAccount(ctx.store, ctx.actor.id)), isMailSent: env().SMTP_URL !== undefined };
}

const hour = z.coerce
  .number(accountProblems.hourOfDay)
  .int(accountProblems.hourOfDay)
  .min(0, accountProblems.hourOfDay)
  .max(23, accountProblems.hourOfDay);

const choice = z.object({
  kinds: z.record(z.enum(notificationKinds), z.enum(deliveries, accountProblems.choice)),
  quiet: z
    .object({ from: hour, to: hour })
    .refine(({ from, to }) => from !== to, { message: accountProblems.otherHour, path: ["to"] })
    .optional(),
  quietWeekends: z.boolean(),
  urgentAnyway: z.boolean(),
});

/**
 * Saves how the actor wants to be told, by kind and hour; it holds for what happens from now on. Refuses what is no
 * choice, field by field.
 */
export async function chooseNotifications(
  ctx: Context<PersonActor>,
  input: z.input<typeof choice>,
): Promise<Result<NotificationChoice, AdminRefusal>> {
  const read = validate(choice, input);
  if (!read.ok) return read;
  await saveNotificationChoice(ctx.store, ctx.actor, read.value);
  return ok(read.value);
}
