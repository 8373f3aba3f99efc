import type { Context } from "#lib/access/context";
import { administers, type Actor, type Reach } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { auditParties, auditPractices, type Party, type Sight } from "#lib/audit/store/audit-browse";
import { readChainHeads } from "#lib/audit/store/audit-chain";
import { channelChain } from "./model/channel-chain.ts";
import { peopleChain } from "#lib/person/create-person";
import { denied, outOfReach } from "#lib/access/denied";
import type { AdminRefusal } from "#lib/access/refusal";

/** What of the record somebody may see: the chains, and what of those that practices share. */
export type AuditSight = {
  /** Those they may choose among. */
  readonly practices: readonly Party[];
  /** They see the whole service. */
  readonly isOverall: boolean;
  /** The one they look at; undefined where they look at all of theirs, which may be the whole service. */
  readonly practice: (Party & { readonly timeZone: string }) | undefined;
  readonly chains: readonly string[];
  readonly sight: Sight;
  readonly people: readonly Party[];
  readonly channels: readonly Party[];
};

/**
 * Whoever administers or audits every practice sees the whole record; others that of the practices they administer or
 * audit, and of the chains practices share what speaks of these alone. A reviewer sees none of it.
 */
export async function auditSight(
  { actor, store }: Context,
  practiceId: string | undefined,
): Promise<Result<AuditSight, AdminRefusal>> {
  const own = reachOf(actor);
  const isOverall = own === "every";
  if (own.length === 0) return denied({ actor, store }, "record");
  const practices = await auditPractices(store, own);
  const only = !isOverall && practices.length === 1 ? practices[0] : undefined;
  const practice = practices.find(({ id }) => id === practiceId) ?? only;
  if (practiceId !== undefined && practice?.id !== practiceId) return notSeen({ actor, store }, practiceId);
  const looked = practice ? [practice] : practices;
  const isWhole = isOverall && !practice;
  const { people, channels } = await auditParties(store, isWhole ? "every" : looked.map(({ id }) => id));
  const sight: Sight = {
    practices: own === "every" ? undefined : own,
    people: isWhole ? undefined : people.map(({ id }) => id),
  };
  const chains = isWhole
    ? (await readChainHeads(store)).map(({ chain }) => chain)
    : [...looked.map(({ id }) => id), peopleChain, ...channels.map(({ id }) => channelChain(id))];
  return ok({ practices, isOverall, practice, chains, sight, people, channels });
}

async function notSeen({ actor, store }: Context, practiceId: string): Promise<Result<never, AdminRefusal>> {
  const practices = await auditPractices(store, "every");
  if (!practices.some(({ id }) => id === practiceId)) return refuse({ type: "not-found", what: "practice" });
  return outOfReach(store.prisma, actor, { what: "practice", id: practiceId, practices: [practiceId] });
}

function reachOf(actor: Actor): Reach {
  const reaches = [administers(actor), actor.kind === "person" ? actor.audits : []];
  return reaches.includes("every") ? "every" : [...new Set(reaches.flat())];
}
