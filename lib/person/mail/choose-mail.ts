import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { saveMailChoice, mailChoices, type MailChoice } from "#lib/person/store/mail-choice";

/** Keeps how a person wants to be told of what waits, for themselves alone. A word that is none of the choices is refused. */
export async function chooseMail(
  ctx: Context<PersonActor>,
  { mail }: { mail: string },
): Promise<Result<MailChoice, "unknown-choice">> {
  const choice = mailChoices.find((known) => known === mail);
  if (!choice) return refuse("unknown-choice");
  await saveMailChoice(ctx.store, ctx.actor, choice);
  return ok(choice);
}
