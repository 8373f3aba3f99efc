import { actorName, type PersonActor } from "#lib/domain/actor";
import { auditDetail, serviceChain, type AuditEntry } from "./audit.ts";
import { noChannel, type Denial, type MinuteCount } from "./call-records.ts";
import { type Store, wholeOf } from "./db.ts";
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

/**
 * The same of a case in none of these practices, which are theirs; an id that is no case's is no denial. Asked of the
 * whole store, because to a person's own no case of another practice is there.
 */
export async function recordCaseDenial(
  store: Store,
  actor: PersonActor,
  { taskId, practices }: { readonly taskId: string; readonly practices: readonly string[] },
): Promise<void> {
  if (!isUuid(taskId)) return;
  await wholeOf(store).pool.query(
    "SELECT audit_append('people', $2, 'person.denied', NULL, $3) FROM task WHERE id = $1 AND practice_id <> ALL ($4)",
    [taskId, actorName(actor), auditDetail({ asked: "case", case: taskId }), practices],
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
