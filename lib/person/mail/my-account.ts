import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { env } from "#lib/platform/env";
import { ok, refuse, type Result } from "#lib/platform/result";
import { mailChoices, readAccount, saveMailChoice, type Account, type MailChoice } from "#lib/person/store/mail-choice";

/** The actor's own account, and whether this service sends mail at all. */
export async function myAccount(ctx: Context<PersonActor>): Promise<Account & { readonly isMailSent: boolean }> {
  return { ...(await readAccount(ctx.store, ctx.actor.id)), isMailSent: env().SMTP_URL !== undefined };
}

/** Saves how the actor wants mail about waiting cases. Refuses a word that is no choice. */
export async function chooseMail(
  ctx: Context<PersonActor>,
  { mail }: { mail: string },
): Promise<Result<MailChoice, "unknown-choice">> {
  const choice = mailChoices.find((each) => each === mail);
  if (!choice) return refuse("unknown-choice");
  await saveMailChoice(ctx.store, ctx.actor, choice);
  return ok(choice);
}
