import { actorName, type PersonActor } from "#lib/domain/actor";
import { appendAudit, auditDetail, serviceChain, type AuditEntry } from "./audit.ts";
import { type Denial, type MinuteCount } from "./call-records.ts";
import { noChannel } from "./no-channel.ts";
import { type Store, type Tx, wholeOf } from "./db.ts";
import { isUuid } from "./load-task.ts";

/** Records that somebody who is signed in was refused for lack of a power; one entry for each refusal. */
export async function recordPersonDenial(
  store: Store,
  actor: PersonActor,
  detail: AuditEntry["detail"],
): Promise<void> {
  await store.pool.query("SELECT audit_append('people', $1, 'person.denied', NULL, $2)", [
    actorName(actor),
    auditDetail(detail),
  ]);
}

/** The same within a transaction, which nothing else is written in. */
export async function recordReachDenial(tx: Tx, actor: PersonActor, detail: AuditEntry["detail"]): Promise<void> {
  await appendAudit(tx, { chain: "people", actor, act: "person.denied", detail });
}

/**
 * The same of cases in none of these practices, which are theirs; an id that is no case's is no denial. Asked of the
 * whole store, because to a person's own no case of another practice is there.
 */
export async function recordCaseDenials(
  store: Store,
  actor: PersonActor,
  { taskIds, practices }: { readonly taskIds: readonly string[]; readonly practices: readonly string[] },
): Promise<void> {
  const asked = taskIds.filter(isUuid);
  if (asked.length === 0) return;
  await wholeOf(store).pool.query(
    `SELECT audit_append('people', $3, 'person.denied', NULL, given.detail)
       FROM unnest($1::uuid[], $2::text[]) AS given (id, detail) JOIN task t ON t.id = given.id
      WHERE t.practice_id <> ALL ($4)`,
    [asked, asked.map((id) => auditDetail({ asked: "case", case: id })), actorName(actor), practices],
  );
}

/**
 * Records what channels were denied since the last writing: one entry for each channel and rule, in the channel's own
 * chain, with how often and between when. So a flood of denied calls becomes a few entries and none of them waits for
 * one. Calls whose key no channel has are in the service's chain.
 */
export async function recordChannelDenials(
  store: Store,
  { denials, minutes }: { readonly denials: readonly Denial[]; readonly minutes: readonly MinuteCount[] },
): Promise<void> {
  const known = Map.groupBy(denials, ({ channelId, rule }) => `${channelId} ${rule}`);
  const entries = [...[...known.values()].flatMap(ofRule), ...uncounted(minutes, denials)];
  if (entries.length === 0) return;
  // In the order of their chains, so that two writings never wait for each other in a ring.
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

type DenialEntry = { readonly channelId: string; readonly detail: AuditEntry["detail"] };

function ofRule(denials: readonly Denial[]): readonly DenialEntry[] {
  const times = denials.map(({ at }) => at.toISOString()).sort();
  const [first] = denials;
  if (!first) return [];
  const detail = { rule: first.rule, count: denials.length, first: times[0], last: times.at(-1) };
  return [{ channelId: first.channelId, detail }];
}

/** Those whose reason was not looked into: too many at once, or of no channel. */
function uncounted(minutes: readonly MinuteCount[], denials: readonly Denial[]): readonly DenialEntry[] {
  const channels = Map.groupBy(minutes, ({ channelId }) => channelId);
  return [...channels].flatMap(([channelId, list]) => {
    const denied = list.reduce((sum, minute) => sum + minute.denied, 0);
    const count = denied - denials.filter((denial) => denial.channelId === channelId).length;
    const from = list.map(({ minute }) => minute.toISOString()).sort()[0];
    return count > 0 ? [{ channelId, detail: { count, from } }] : [];
  });
}
