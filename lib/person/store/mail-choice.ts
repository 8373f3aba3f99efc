import type { PersonActor } from "#lib/access/model/actor";
import { appendAudit } from "#lib/audit/store/audit";
import { inTransaction, type Store } from "#lib/db/db";

/** At once, once an hour, or never. */
export const mailChoices = ["at-once", "digest", "off"] as const;
export type MailChoice = (typeof mailChoices)[number];

export type Account = { readonly email: string; readonly mail: MailChoice; readonly hasPassword: boolean };

export async function readAccount(store: Store, personId: string): Promise<Account> {
  const { email, mail, passwordHash } = await store.prisma.person.findUniqueOrThrow({
    where: { id: personId },
    select: { email: true, mail: true, passwordHash: true },
  });
  return { email, mail: mailChoices.find((known) => known === mail) ?? "at-once", hasPassword: passwordHash !== null };
}

export async function saveMailChoice(store: Store, actor: PersonActor, mail: MailChoice): Promise<void> {
  await inTransaction(store, async (tx) => {
    const { count } = await tx.person.updateMany({ where: { id: actor.id, mail: { not: mail } }, data: { mail } });
    if (count > 0) await appendAudit(tx, { chain: "people", actor, act: "person.mail-chosen", detail: { mail } });
  });
}
