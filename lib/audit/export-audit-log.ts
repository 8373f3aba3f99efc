import canonicalize from "canonicalize";
import { type Link, isPurged } from "./model/link.ts";
import type { Context } from "#lib/access/context";
import { assert, ok, type Result } from "#lib/platform/result";
import { appendAudit } from "#lib/audit/shared/append-audit";
import type { Actor } from "#lib/access/model/actor";
import { serviceChain, type AuditEntry } from "#lib/audit/model/entry";
import { casesCalled, readSeenLinks, stretchOf } from "#lib/audit/store/audit-browse";
import { readChainStates } from "#lib/audit/store/audit-state";
import { inTransaction, type Tx } from "#lib/db/db";
import { auditKinds } from "./audit-kinds.ts";
import { resolveAuditScope, type AuditScope } from "./audit-scope.ts";
import type { AuditFilters } from "./browse-audit-log.ts";
import type { AdminRefusal } from "#lib/access/refusal";
import { now } from "#lib/platform/now";

/**
 * Exports the audit log as JSON lines: the entries that this person may see and that match the filters. Other entries
 * of the range appear as their hashes alone, up to the last signed head, so that the file verifies by itself and
 * discloses nothing else. The export is in the audit log before the first line is returned.
 */
export async function exportAuditLog(
  ctx: Context,
  filters: AuditFilters,
): Promise<Result<AsyncIterable<string>, AdminRefusal>> {
  const scope = await resolveAuditScope(ctx, filters.practiceId);
  if (!scope.ok) return scope;
  const { practice, practices, isOverall, chains } = scope.value;
  const { practiceId: _, from, to, ...rest } = filters;
  const detail = {
    practice: practice?.id,
    from: from?.toISOString(),
    to: to?.toISOString(),
    ...rest,
    chains: chains.length,
  };
  const exported = practice ? [practice.id] : isOverall ? [serviceChain] : practices.map(({ id }) => id);
  await inTransaction(ctx.store, (tx) => recordExport(tx, ctx.actor, { chains: exported, detail }));
  return ok(linesOf(ctx, filters, scope.value));
}

type ExportEntry = { readonly chains: readonly string[]; readonly detail: AuditEntry["detail"] };

/**
 * In the chain of each practice. Of several, none says which case, person or channel was looked for, which may be
 * another's: that is in the service's chain.
 */
async function recordExport(tx: Tx, actor: Actor, { chains, detail }: ExportEntry): Promise<void> {
  const { task: _, person: __, channel: ___, ...general } = detail;
  const isOfSeveral = chains.length > 1;
  const entries = chains.map((chain) => ({ chain, detail: isOfSeveral ? general : detail }));
  if (isOfSeveral) entries.push({ chain: serviceChain, detail: { ...detail, practices: chains } });
  // In the order of their chains, so that two exports never deadlock.
  for (const entry of entries.toSorted((one, other) => (one.chain < other.chain ? -1 : 1)))
    await appendAudit(tx, { ...entry, actor, act: "audit.exported" });
}

async function* linesOf({ store }: Context, filters: AuditFilters, scope: AuditScope): AsyncGenerator<string> {
  const states = await readChainStates(store, scope.chains);
  yield lineOf({
    type: "export",
    version: 1,
    practice: scope.practice?.id ?? null,
    at: now().toISOString(),
    from: filters.from?.toISOString() ?? null,
    to: filters.to?.toISOString() ?? null,
  });
  const taskIds = filters.task === undefined ? undefined : await casesCalled(store, filters.task);
  const counts = { chains: 0, entries: 0, stubs: 0 };
  for (const chain of scope.chains) {
    const { first, last, end } = await stretchOf(store, chain, { from: filters.from, to: filters.to });
    if (last < first) continue;
    const head = states.find((state) => state.chain === chain)?.exported;
    const through = Math.min(end, Math.max(last, head?.seq ?? 0));
    counts.chains += 1;
    yield lineOf({ type: "chain", chain, first, last: through });
    if (head?.head) yield head.head;
    const { kind, person, channel } = filters;
    const readOptions = { sight: scope.sight, person, channel, taskIds, acts: kind && auditKinds[kind] };
    for await (const { isSeen, ...link } of readSeenLinks(store, {
      ...readOptions,
      chain,
      after: first - 1,
      through,
    })) {
      const isShown = isSeen && link.seq <= last && !isPurged(link);
      counts[isShown ? "entries" : "stubs"] += 1;
      yield lineOf(isShown ? { type: "entry", chain, ...link } : stubOf(chain, link));
    }
  }
  yield lineOf({ type: "end", ...counts });
}

/** An entry that is not shown: its place and its hashes. */
function stubOf(chain: string, { seq, contentHash, prevHash, hash }: Link) {
  return { type: "stub", chain, seq, contentHash, prevHash, hash };
}

function lineOf(value: object): string {
  const text = canonicalize(value);
  assert(text !== undefined, "a line has a canonical form");
  return text;
}
