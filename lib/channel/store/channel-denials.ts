import { auditDetail, serviceChain, type AuditEntry } from "#lib/audit/model/entry";
import type { DenialRule } from "#lib/channel/model/authority";
import { type Denial, type MinuteCount } from "./call-records.ts";
import { noChannel } from "#lib/access/model/no-channel";
import type { Store } from "#lib/db/db";

/**
 * Records the denials since the last writing: one entry for each channel and rule, in the channel's own chain, with
 * their number and times. So a flood of denied calls makes few entries, and no call waits for one. Calls with an
 * unknown key are in the service's chain. Whether a practice beyond the channel's exists or is suspended is not said.
 */
export async function recordChannelDenials(
  store: Store,
  { denials, minutes }: { readonly denials: readonly Denial[]; readonly minutes: readonly MinuteCount[] },
): Promise<void> {
  const known = Map.groupBy(denials, ({ channelId, rule }) => `${channelId} ${auditedRule(rule)}`);
  const entries = [...[...known.values()].flatMap(ofRule), ...uncounted(minutes, denials)];
  if (entries.length === 0) return;
  // In the order of their chains, so that two writings never deadlock.
  await store.pool.query(
    `SELECT audit_append(chain, actor, 'channel.denied', NULL, detail)
       FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS given (chain, actor, detail) ORDER BY chain OFFSET 0) given`,
    [
      entries.map(({ channelId }) => (channelId === noChannel ? serviceChain : `channel:${channelId}`)),
      entries.map(({ channelId }) => (channelId === noChannel ? "nobody" : `channel:${channelId}`)),
      entries.map(({ detail }) => auditDetail(detail)),
    ],
  );
}

/** One rule for all of the practice, because admins of any one of the channel's practices read the entries. */
function auditedRule(rule: DenialRule): DenialRule {
  return rule === "no-such-practice" || rule === "practice-suspended" ? "practice-out-of-reach" : rule;
}

type DenialEntry = { readonly channelId: string; readonly detail: AuditEntry["detail"] };

function ofRule(denials: readonly Denial[]): readonly DenialEntry[] {
  const times = denials.map(({ at }) => at.toISOString()).sort();
  const [first] = denials;
  if (!first) return [];
  const detail = { rule: auditedRule(first.rule), count: denials.length, first: times[0], last: times.at(-1) };
  return [{ channelId: first.channelId, detail }];
}

/** Denials whose reason was not determined: too many at once, or of no channel. */
function uncounted(minutes: readonly MinuteCount[], denials: readonly Denial[]): readonly DenialEntry[] {
  const channels = Map.groupBy(minutes, ({ channelId }) => channelId);
  return [...channels].flatMap(([channelId, list]) => {
    const denied = list.reduce((sum, minute) => sum + minute.denied, 0);
    const count = denied - denials.filter((denial) => denial.channelId === channelId).length;
    const from = list.map(({ minute }) => minute.toISOString()).sort()[0];
    return count > 0 ? [{ channelId, detail: { count, from } }] : [];
  });
}
