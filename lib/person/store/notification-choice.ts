import type { PersonActor } from "#lib/access/model/actor";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { inTransaction, type Store } from "#lib/db/db";
import {
  deliveries,
  everyKind,
  notificationKinds,
  type Delivery,
  type NotificationChoice,
} from "#lib/person/model/notification";

export type Account = {
  readonly email: string;
  readonly notifications: NotificationChoice;
  readonly hasPassword: boolean;
};

export async function readAccount(store: Store, personId: string): Promise<Account> {
  const { email, mail, passwordHash, notificationChoice } = await store.prisma.person.findUniqueOrThrow({
    where: { id: personId },
    select: { email: true, mail: true, passwordHash: true, notificationChoice: true },
  });
  const before = everyKind(mail === "digest" ? "hourly" : (deliveries.find((known) => known === mail) ?? "at-once"));
  if (!notificationChoice) return { email, notifications: before, hasPassword: passwordHash !== null };
  const { quietFrom: from, quietTo: to, quietWeekends, urgentAnyway } = notificationChoice;
  const notifications = {
    kinds: { ...before.kinds, ...kindsIn(notificationChoice.kinds) },
    quiet: from === null || to === null ? undefined : { from, to },
    quietWeekends,
    urgentAnyway,
  };
  return { email, notifications, hasPassword: passwordHash !== null };
}

function kindsIn(stored: unknown): Partial<NotificationChoice["kinds"]> {
  const given: Readonly<Record<string, unknown>> = { ...(typeof stored === "object" ? stored : {}) };
  return Object.fromEntries(
    notificationKinds.flatMap((kind) => {
      const delivery = deliveries.find((known) => known === given[kind]);
      return delivery === undefined ? [] : [[kind, delivery]];
    }),
  );
}

/** Keeps the choice, and the nearest one that the release before knows. */
export async function saveNotificationChoice(
  store: Store,
  actor: PersonActor,
  { kinds, quiet, quietWeekends, urgentAnyway }: NotificationChoice,
): Promise<void> {
  const row = {
    ...{ kinds, quietWeekends, urgentAnyway },
    ...{ quietFrom: quiet?.from ?? null, quietTo: quiet?.to ?? null },
  };
  await inTransaction(store, async (tx) => {
    await tx.person.update({ where: { id: actor.id }, data: { mail: mailOf(Object.values(kinds)) } });
    const where = { personId: actor.id };
    await tx.notificationChoice.upsert({ where, create: { ...where, ...row }, update: row });
    const mail = Object.entries(kinds).map(([kind, delivery]) => `${kind} ${delivery}`);
    const detail = { mail, quiet: quiet ? `${quiet.from} to ${quiet.to}` : null, quietWeekends, urgentAnyway };
    await appendAudit(tx, { chain: "people", actor, act: "person.mail-chosen", detail });
  });
}

function mailOf(chosen: readonly Delivery[]): "at-once" | "digest" | "off" {
  if (chosen.every((delivery) => delivery === "off")) return "off";
  return chosen.includes("at-once") ? "at-once" : "digest";
}
