import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { env } from "#lib/platform/env";
import { readAccount, type Account } from "#lib/person/store/mail-choice";

/** The account of whoever asks, and whether this service sends mail at all. */
export async function myAccount(ctx: Context<PersonActor>): Promise<Account & { readonly isMailSent: boolean }> {
  return { ...(await readAccount(ctx.store, ctx.actor.id)), isMailSent: env().SMTP_URL !== undefined };
}
