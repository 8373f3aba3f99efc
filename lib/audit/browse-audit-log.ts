import type { Context } from "#lib/access/context";
import { ok, type Result } from "#lib/platform/result";
import { browseAudit, casesCalled, type AuditRow, type AuditPosition } from "#lib/audit/store/audit-browse";
import { readChainStates, readRetention, type ChainState } from "#lib/audit/store/audit-state";
import { auditKinds, type AuditKind } from "./audit-kinds.ts";
import { resolveAuditScope, type AuditScope } from "./audit-scope.ts";
import { channelChain } from "./model/channel-chain.ts";
import { peopleChain } from "#lib/person/create-person";
import type { AdminRefusal } from "#lib/access/refusal";

export type { AuditRow, ChainState, AuditPosition };

export type AuditFilters = {
  readonly practiceId?: string | undefined;
  readonly person?: string | undefined;
  readonly channel?: string | undefined;
  /** The case's id, or the last eight digits of it, which people use as its short id. */
  readonly task?: string | undefined;
  readonly kind?: AuditKind | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

export type AuditPage = AuditScope & {
  readonly rows: readonly AuditRow[];
  /** The positions of the page before and the page after; undefined where there is none. */
  readonly newer: AuditPosition | undefined;
  readonly older: AuditPosition | undefined;
  /** Older entries were not searched yet. */
  readonly isPartial: boolean;
  readonly states: readonly ChainState[];
  /** How many days contents are kept; undefined means forever. */
  readonly keptDays: number | undefined;
};

const lengthMax = 20;

type AuditQuery = AuditFilters & {
  readonly before?: AuditPosition | undefined;
  readonly after?: AuditPosition | undefined;
  /** Entries of a page, at most as many as without it. */
  readonly length?: number | undefined;
};

/** A page of the audit log, newest first, with the entries that this person may see. */
export async function browseAuditLog(ctx: Context, query: AuditQuery): Promise<Result<AuditPage, AdminRefusal>> {
  const { practiceId, kind, task, before, after, length = lengthMax, ...filters } = query;
  const pageLength = Math.min(length, lengthMax);
  const scope = await resolveAuditScope(ctx, practiceId);
  if (!scope.ok) return scope;
  const { sight, practice } = scope.value;
  const chains = narrowChains(scope.value.chains, query);
  const { rows, reached } = await browseAudit(ctx.store, {
    ...filters,
    taskIds: task === undefined ? undefined : await casesCalled(ctx.store, task),
    chains,
    sight,
    acts: kind && auditKinds[kind],
    before,
    after,
    limit: pageLength + 1,
  });
  const isNewer = after !== undefined;
  const shown = isNewer ? rows.slice(-pageLength) : rows.slice(0, pageLength);
  const isMore = rows.length > pageLength;
  const [first, last] = [shown[0], shown.at(-1)];
  const partial = isMore ? undefined : reached;
  const own = practice?.id;
  const [states, kept] = await Promise.all([
    readChainStates(ctx.store, own === undefined ? scope.value.chains : [own, peopleChain]),
    readRetention(ctx.store),
  ]);
  return ok({
    ...scope.value,
    rows: shown,
    newer: isNewer ? (isMore ? first : partial) : before && (first ?? before),
    older: isNewer ? (last ?? after) : isMore ? last : partial,
    isPartial: partial !== undefined,
    states,
    keptDays: (own === undefined ? undefined : kept.get(own)) ?? kept.get("*"),
  });
}

/** The chains that can hold entries of this person, channel or case, so that no other chain is searched. */
function narrowChains(chains: readonly string[], { person, channel, task }: AuditFilters): readonly string[] {
  return chains.filter(
    (chain) =>
      (person === undefined || !chain.startsWith("channel:")) &&
      (channel === undefined || chain === channelChain(channel) || !chain.includes(":")) &&
      (channel === undefined || chain !== peopleChain) &&
      (task === undefined || (chain !== peopleChain && !chain.includes(":"))),
  );
}
