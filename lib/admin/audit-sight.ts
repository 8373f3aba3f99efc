import type { Context } from "#lib/context";
import { isAdmin } from "#lib/domain/actor";
import { ok, refuse, type Result } from "#lib/domain/result";
import { auditParties, auditPractices, type Party, type Sight } from "#lib/store/audit-browse";
import { readChainHeads } from "#lib/store/audit-chain";
import { channelChain } from "./channel-chain.ts";
import { peopleChain } from "./create-person.ts";
import { denied } from "./denied.ts";
import type { AdminRefusal } from "./refusal.ts";

/** What of the record somebody may see: the chains, and what of those that practices share. */
export type AuditSight = {
  /** Those they may choose among. */
  readonly practices: readonly Party[];
  /** The one they look at; undefined where they look at the whole service. */
  readonly practice: (Party & { readonly timeZone: string }) | undefined;
  readonly chains: readonly string[];
  readonly sight: Sight;
  readonly people: readonly Party[];
  readonly channels: readonly Party[];
};

/**
 * An administrator sees the whole record; an auditor that of the practices they are an auditor of, and of the chains
 * practices share what speaks of these alone. Being one is not being the other, and neither is a reviewer.
 */
export async function auditSight(
  { actor, store }: Context,
  practiceId: string | undefined,
): Promise<Result<AuditSight, AdminRefusal>> {
  const own = actor.kind === "person" && actor.roles.includes("auditor") ? actor.practices : [];
  const isOverall = isAdmin(actor);
  if (!isOverall && own.length === 0) return denied({ actor, store }, "record");
  const practices = await auditPractices(store, isOverall ? "every" : own);
  const practice = practices.find(({ id }) => id === practiceId) ?? (isOverall ? undefined : practices[0]);
  if (practiceId !== undefined && practice?.id !== practiceId) return refuse({ type: "not-found", what: "practice" });
  const { people, channels } = await auditParties(store, practice?.id);
  const sight: Sight = {
    practices: isOverall ? undefined : own,
    people: practice && people.map(({ id }) => id),
  };
  const chains = practice
    ? [practice.id, peopleChain, ...channels.map(({ id }) => channelChain(id))]
    : (await readChainHeads(store)).map(({ chain }) => chain);
  return ok({ practices, practice, chains, sight, people, channels });
}
