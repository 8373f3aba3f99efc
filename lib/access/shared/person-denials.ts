import type { PersonActor } from "#lib/access/model/actor";
import { assert } from "#lib/platform/result";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { auditDetail, type AuditEntry } from "#lib/audit/model/entry";
import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";
import { acrossPractices } from "#lib/db/for-practices";

type Detail = AuditEntry["detail"];

/** How many denials of one person within an hour get an entry each. */
const inFullMax = 100;

/** Records that a signed-in person lacked the right to something. */
export async function recordPersonDenial(store: Store, actor: PersonActor, detail: Detail): Promise<void> {
  await inTransaction(store, (tx) => recordDenials(tx, actor, [detail]));
}

/** The same within the caller's transaction. */
export async function recordReachDenial(tx: Tx, actor: PersonActor, detail: Detail): Promise<void> {
  await recordDenials(tx, actor, [detail]);
}

/**
 * The same for those of these cases that are in none of the person's practices. An id that belongs to no case is no
 * denial. The practice of each is named, so that auditors of others do not learn that there is such a case. Runs across practices, because the person's own practices do not show the cases of others.
 */
export async function recordCaseDenials(
  store: Store,
  actor: PersonActor,
  { taskIds, practices }: { readonly taskIds: readonly string[]; readonly practices: readonly string[] },
): Promise<void> {
  const requested = taskIds.filter(isUuid);
  if (requested.length === 0) return;
  const { rows } = await acrossPractices(store, "denied-cases").pool.query<{ id: string; practice_id: string }>(
    "SELECT id, practice_id FROM task WHERE id = ANY ($1::uuid[]) AND practice_id <> ALL ($2::text[])",
    [requested, practices],
  );
  if (rows.length === 0) return;
  const details = rows.map(({ id, practice_id: practiceId }) => ({
    requested: "case",
    case: id,
    practices: [practiceId],
  }));
  await inTransaction(store, (tx) => recordDenials(tx, actor, details));
}

/**
 * The same for a channel, with the practices it reaches. An id that belongs to no channel is no denial. Runs across
 * practices, because the person's own do not show all that it reaches.
 */
export async function recordChannelDenial(store: Store, actor: PersonActor, channelId: string): Promise<void> {
  if (!isUuid(channelId)) return;
  const { rows } = await acrossPractices(store, "denied-cases").pool.query<{ practices: string[] }>(
    "SELECT ARRAY (SELECT practice_id FROM channel_practice WHERE channel_id = c.id ORDER BY 1) AS practices FROM channel c WHERE id = $1",
    [channelId],
  );
  const [channel] = rows;
  if (!channel) return;
  const detail = { requested: "channel", channel: channelId, practices: channel.practices };
  await inTransaction(store, (tx) => recordDenials(tx, actor, [detail]));
}

/**
 * The first hundred denials of a person within an hour get an entry each. Beyond those, there is an entry each time the
 * number doubles, with the count and the time of the first, and one more when a later hour begins. So a loop in a
 * browser makes only a few entries, and the count survives the end of a process.
 */
async function recordDenials(tx: Tx, actor: PersonActor, details: readonly Detail[]): Promise<void> {
  const append = (detail: Detail) => appendAudit(tx, { chain: "people", actor, act: "person.denied", detail });
  const { ended, now } = await counted(tx, actor.id, details.length);
  if (ended && ended.count > inFullMax) await append(manyOf(ended));
  const before = now.count - details.length;
  for (const detail of details.slice(0, Math.max(0, inFullMax - before))) await append(detail);
  if (doublings(now.count) > doublings(before)) await append(manyOf(now));
}

/**
 * Writes the final counts of past hours for people who were not denied again since. Run it from time to time, so that
 * no count is written much later.
 */
export async function recordEndedDenials(store: Store): Promise<void> {
  await inTransaction(store, async (tx) => {
    const over = await tx.$queryRaw<(Hour & { personId: string })[]>`
      DELETE FROM person_denial WHERE first_at < clock_timestamp() - interval '1 hour'
      RETURNING person_id AS "personId", count, first_at AS first, last_at AS last`;
    for (const { personId, ...hour } of over.filter(({ count }) => count > inFullMax))
      await tx.$queryRaw`
        SELECT audit_append('people', ${`person:${personId}`}, 'person.denied', NULL, ${auditDetail(manyOf(hour))})::int`;
  });
}

type Hour = { readonly count: number; readonly first: Date; readonly last: Date };

/** How often the number beyond the single entries has doubled, counting the first one. */
function doublings(count: number): number {
  return 32 - Math.clz32(Math.max(0, count - inFullMax));
}

function manyOf({ count, first, last }: Hour): Detail {
  return { count, first: first.toISOString(), last: last.toISOString() };
}

/** Adds `more` to the count of the current hour, or begins a new hour. The row stays locked until the commit. */
async function counted(tx: Tx, personId: string, more: number): Promise<{ ended: Hour | undefined; now: Hour }> {
  const [ended] = await tx.$queryRaw<Hour[]>`
    DELETE FROM person_denial WHERE person_id = ${personId}::uuid AND first_at < clock_timestamp() - interval '1 hour'
    RETURNING count, first_at AS first, last_at AS last`;
  const [now] = await tx.$queryRaw<Hour[]>`
    INSERT INTO person_denial AS d (person_id, count, first_at, last_at)
    VALUES (${personId}::uuid, ${more}::int, clock_timestamp(), clock_timestamp())
    ON CONFLICT (person_id) DO UPDATE SET count = d.count + excluded.count, last_at = excluded.last_at
    RETURNING count, first_at AS first, last_at AS last`;
  assert(now, "what is counted has its row");
  return { ended, now };
}
