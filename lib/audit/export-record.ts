import canonicalize from "canonicalize";
import type { Link } from "./model/link.ts";
import { isPurged } from "./model/link.ts";
import type { Context } from "#lib/access/context";
import { assert, ok, type Result } from "#lib/platform/result";
import { appendAudit, serviceChain } from "#lib/audit/store/audit";
import { casesCalled, readSeenLinks, stretchOf } from "#lib/audit/store/audit-browse";
import { readChainStates } from "#lib/audit/store/audit-state";
import { inTransaction } from "#lib/db/db";
import { auditKinds } from "./audit-kinds.ts";
import { auditSight, type AuditSight } from "./audit-sight.ts";
import type { RecordFilters } from "./browse-record.ts";
import type { AdminRefusal } from "#lib/access/refusal";
import { now } from "#lib/platform/now";

/**
 * The record as JSONL, of what this person may see and asked for. What stands between is given by its hashes alone, up
 * to the last signed head, so that the file verifies by itself and tells nothing else. That it was exported is on record
 * before the first line is given.
 */
export async function exportRecord(
  ctx: Context,
  asked: RecordFilters,
): Promise<Result<AsyncIterable<string>, AdminRefusal>> {
  const seen = await auditSight(ctx, asked.practiceId);
  if (!seen.ok) return seen;
  const { practice, practices, isOverall, chains } = seen.value;
  const { practiceId: _, from, to, ...filters } = asked;
  const detail = {
    practice: practice?.id,
    from: from?.toISOString(),
    to: to?.toISOString(),
    ...filters,
    chains: chains.length,
  };
  const exported = practice ? [practice.id] : isOverall ? [serviceChain] : practices.map(({ id }) => id).sort();
  await inTransaction(ctx.store, async (tx) => {
    for (const chain of exported) await appendAudit(tx, { chain, actor: ctx.actor, act: "audit.exported", detail });
  });
  return ok(linesOf(ctx, asked, seen.value));
}

async function* linesOf({ store }: Context, asked: RecordFilters, seen: AuditSight): AsyncGenerator<string> {
  const states = await readChainStates(store, seen.chains);
  yield lineOf({
    type: "export",
    version: 1,
    practice: seen.practice?.id ?? null,
    at: now().toISOString(),
    from: asked.from?.toISOString() ?? null,
    to: asked.to?.toISOString() ?? null,
  });
  const taskIds = asked.task === undefined ? undefined : await casesCalled(store, asked.task);
  const counts = { chains: 0, entries: 0, stubs: 0 };
  for (const chain of seen.chains) {
    const { first, last, end } = await stretchOf(store, chain, { from: asked.from, to: asked.to });
    if (last < first) continue;
    const head = states.find((state) => state.chain === chain)?.exported;
    const through = Math.min(end, Math.max(last, head?.seq ?? 0));
    counts.chains += 1;
    yield lineOf({ type: "chain", chain, first, last: through });
    if (head?.head) yield head.head;
    const { kind, person, channel } = asked;
    const wanted = { sight: seen.sight, person, channel, taskIds, acts: kind && auditKinds[kind] };
    for await (const { isSeen, ...link } of readSeenLinks(store, { ...wanted, chain, after: first - 1, through })) {
      const isShown = isSeen && link.seq <= last && !isPurged(link);
      counts[isShown ? "entries" : "stubs"] += 1;
      yield lineOf(isShown ? { type: "entry", chain, ...link } : stubOf(chain, link));
    }
  }
  yield lineOf({ type: "end", ...counts });
}

/** What is left of an entry that is not shown. */
function stubOf(chain: string, { seq, contentHash, prevHash, hash }: Link) {
  return { type: "stub", chain, seq, contentHash, prevHash, hash };
}

function lineOf(value: object): string {
  const text = canonicalize(value);
  assert(text !== undefined, "a line has a canonical form");
  return text;
}
