import type { Context } from "#lib/access/context";
import { administers, type Actor, type Reach } from "#lib/access/model/actor";
import { ok, refuse, type Result } from "#lib/platform/result";
import { auditParties, auditPractices, type Party, type Sight } from "#lib/audit/store/audit-browse";
import { readChainHeads } from "#lib/audit/shared/chain-heads";
import { channelChain } from "./model/channel-chain.ts";
import { peopleChain } from "#lib/person/create-person";
import { deny, denyOutOfReach } from "#lib/access/deny";
import type { AdminRefusal } from "#lib/access/refusal";

/** What a person may see of the audit log: the chains, and which entries of the chains that practices share. */
export type AuditScope = {
  /** The practices they may choose among. */
  readonly practices: readonly Party[];
  /** Whether they may see every practice. */
  readonly isOverall: boolean;
  /** The practice they look at; undefined where they look at all of theirs, which may be every practice. */
  readonly practice: (Party & { readonly timeZone: string }) | undefined;
  readonly chains: readonly string[];
  readonly sight: Sight;
  readonly people: readonly Party[];
  readonly channels: readonly Party[];
};

/**
 * Administrators and auditors of every practice see the whole audit log. Others see the chains of the practices they
 * administer or audit, and of the shared chains the entries that concern only these practices. Reviewers see none of
 * it: `not-authorised`.
 */
export async function resolveAuditScope(
  { actor, store }: Context,
  practiceId: string | undefined,
): Promise<Result<AuditScope, AdminRefusal>> {
  const own = reachOf(actor);
  const isOverall = own === "every";
  if (own.length === 0) return deny({ actor, store }, "record");
  const practices = await auditPractices(store, own);
  const only = !isOverall && practices.length === 1 ? practices[0] : undefined;
  const practice = practices.find(({ id }) => id === practiceId) ?? only;
  if (practiceId !== undefined && practice?.id !== practiceId) return denyPractice({ actor, store }, practiceId);
  const shown = practice ? [practice] : practices;
  const isWhole = isOverall && !practice;
  const { people, channels } = await auditParties(store, isWhole ? "every" : shown.map(({ id }) => id));
  const sight: Sight = {
    practices: own === "every" ? undefined : own,
    people: isWhole ? undefined : people.map(({ id }) => id),
  };
  const chains = isWhole
    ? (await readChainHeads(store)).map(({ chain }) => chain)
    : [...shown.map(({ id }) => id), peopleChain, ...channels.map(({ id }) => channelChain(id))];
  return ok({ practices, isOverall, practice, chains, sight, people, channels });
}

async function denyPractice({ actor, store }: Context, practiceId: string): Promise<Result<never, AdminRefusal>> {
  const practices = await auditPractices(store, "every");
  if (!practices.some(({ id }) => id === practiceId)) return refuse({ type: "not-found", what: "practice" });
  return denyOutOfReach(store.prisma, actor, { what: "practice", id: practiceId, practices: [practiceId] });
}

function reachOf(actor: Actor): Reach {
  const reaches = [administers(actor), actor.kind === "person" ? actor.audits : []];
  return reaches.includes("every") ? "every" : [...new Set(reaches.flat())];
}
