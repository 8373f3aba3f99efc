import type { Context } from "#lib/access/context";
import { ok, type Result } from "#lib/platform/result";
import { browseAudit, casesCalled, type AuditRow, type AuditPosition } from "#lib/audit/store/audit-browse";
import { readChainStates, readRetention, type ChainState } from "#lib/audit/store/audit-state";
import { auditKinds, type AuditKind } from "./audit-kinds.ts";
import { auditSight, type AuditSight } from "./audit-sight.ts";
import { channelChain } from "./model/channel-chain.ts";
import { peopleChain } from "#lib/person/create-person";
import type { AdminRefusal } from "#lib/access/refusal";

export type { AuditRow, ChainState, AuditPosition };

export type RecordFilters = {
  readonly practiceId?: string | undefined;
  readonly person?: string | undefined;
  readonly channel?: string | undefined;
  /** The case's id, or the last eight digits of it that people call it by. */
  readonly task?: string | undefined;
  readonly kind?: AuditKind | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

export type RecordPage = AuditSight & {
  readonly rows: readonly AuditRow[];
  /** Where the page before this one ends, and where the next one begins; undefined where there is none. */
  readonly newer: AuditPosition | undefined;
  readonly older: AuditPosition | undefined;
  /** Entries further back were not looked at yet. */
  readonly isPartial: boolean;
  readonly states: readonly ChainState[];
  /** For how many days contents are kept; undefined, for ever. */
  readonly keptDays: number | undefined;
};

const pageLength = 50;

type Asked = RecordFilters & {
  readonly before?: AuditPosition | undefined;
  readonly after?: AuditPosition | undefined;
};

/** A page of the record, the newest first, of what this person may see. */
export async function browseRecord(ctx: Context, asked: Asked): Promise<Result<RecordPage, AdminRefusal>> {
  const { practiceId, kind, task, before, after, ...filters } = asked;
  const seen = await auditSight(ctx, practiceId);
  if (!seen.ok) return seen;
  const { sight, practice } = seen.value;
  const chains = narrowed(seen.value.chains, asked);
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
    readChainStates(ctx.store, own === undefined ? seen.value.chains : [own, peopleChain]),
    readRetention(ctx.store),
  ]);
  return ok({
    ...seen.value,
    rows: shown,
    newer: isNewer ? (isMore ? first : partial) : before && (first ?? before),
    older: isNewer ? (last ?? after) : isMore ? last : partial,
    isPartial: partial !== undefined,
    states,
    keptDays: (own === undefined ? undefined : kept.get(own)) ?? kept.get("*"),
  });
}

/** Where somebody or something stands, so that no other chain is looked through. */
function narrowed(chains: readonly string[], { person, channel, task }: RecordFilters): readonly string[] {
  return chains.filter(
    (chain) =>
      (person === undefined || !chain.startsWith("channel:")) &&
      (channel === undefined || chain === channelChain(channel) || !chain.includes(":")) &&
      (channel === undefined || chain !== peopleChain) &&
      (task === undefined || (chain !== peopleChain && !chain.includes(":"))),
  );
}
