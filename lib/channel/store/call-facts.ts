import { atoms } from "#lib/access/model/actor";
import { knownWord } from "#lib/platform/known-word";
import type { CallFacts } from "#lib/channel/model/authority";
import { networkAllows } from "./admission.ts";
import type { Store } from "#lib/db/db";
import { isUuid } from "#lib/platform/uuid";
import { acrossPractices } from "#lib/db/for-practices";

/** A denied call to explain: by the key it brought, or by the channel alone. */
export type DeniedCallKey = {
  readonly at: Date;
  readonly channelId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly secretHash?: Uint8Array | undefined;
  readonly address?: string | undefined;
  /** Whether the channel's networks are checked if the address is unknown, as the endpoint does. */
  readonly anywhere?: boolean | undefined;
  readonly practiceId?: string | undefined;
  readonly taskId?: string | undefined;
};

export type KnownCall = { readonly channelId: string; readonly facts: CallFacts };

/** What the endpoint decides each call by, as it is now. Undefined if there is no channel. */
export async function callFacts(
  store: Store,
  calls: readonly DeniedCallKey[],
): Promise<readonly (KnownCall | undefined)[]> {
  const { rows } = await acrossPractices(store, "denied-calls").pool.query<Row>({
    name: "call-facts",
    text,
    values: valuesOf(calls),
  });
  const byNumber = new Map(rows.map((row) => [row.n, row]));
  return calls.map((call, index) => {
    const row = byNumber.get(index + 1);
    return row && { channelId: row.channel_id, facts: factsOf(call, row) };
  });
}

const text = `
  SELECT call.n::int AS n, c.id AS channel_id, c.status = 'active' AS active, c.atoms,
         k.id IS NOT NULL AS key_known, k.secret_hash = call.secret_hash AS secret_same,
         k.revoked_at IS NOT NULL AS revoked, k.expires_at <= call.at AS ended,
         EXISTS (SELECT FROM channel_key live WHERE live.channel_id = c.id AND live.revoked_at IS NULL
                    AND live.expires_at > call.at) AS any_live,
         call.anywhere OR coalesce(${networkAllows("c.networks", "call.address")}, false) AS network_allowed,
         p.id IS NOT NULL AS practice_exists, coalesce(p.status = 'active', false) AS practice_active,
         EXISTS (SELECT FROM channel_practice cp WHERE cp.channel_id = c.id AND cp.practice_id = p.id) AS practice_reached,
         t.practice_id AS task_practice_id,
         EXISTS (SELECT FROM channel_practice cp JOIN practice tp ON tp.id = cp.practice_id AND tp.status = 'active'
                  WHERE cp.channel_id = c.id AND cp.practice_id = t.practice_id) AS task_reached
    FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::inet[], $5::boolean[], $6::text[], $7::uuid[], $8::timestamptz[])
         WITH ORDINALITY AS call (channel_id, key_id, secret_hash, address, anywhere, practice_id, task_id, at, n)
    LEFT JOIN channel_key k ON k.id = call.key_id
    JOIN channel c ON c.id = coalesce(k.channel_id, call.channel_id)
    LEFT JOIN practice p ON p.id = call.practice_id
    LEFT JOIN task t ON t.id = call.task_id`;

type Row = {
  n: number;
  channel_id: string;
  active: boolean;
  atoms: string[];
  key_known: boolean;
  secret_same: boolean | null;
  revoked: boolean;
  ended: boolean | null;
  any_live: boolean;
  network_allowed: boolean;
  practice_exists: boolean;
  practice_active: boolean;
  practice_reached: boolean;
  task_practice_id: string | null;
  task_reached: boolean;
};

function valuesOf(calls: readonly DeniedCallKey[]): unknown[] {
  return [
    calls.map(({ channelId }) => channelId ?? null),
    calls.map(({ keyId }) => keyId ?? null),
    calls.map(({ secretHash }) => secretHash ?? null),
    calls.map(({ address }) => address ?? null),
    calls.map(({ anywhere }) => anywhere === true),
    calls.map(({ practiceId }) => (isNameable(practiceId) ? practiceId : null)),
    calls.map(({ taskId }) => (taskId !== undefined && isUuid(taskId) ? taskId : null)),
    calls.map(({ at }) => at),
  ];
}

/** Postgres does not accept NUL, and no practice has a longer id. */
function isNameable(id: string | undefined): id is string {
  return id !== undefined && id.length <= 64 && !id.includes("\0") && id.isWellFormed();
}

function factsOf(call: DeniedCallKey, row: Row): CallFacts {
  const reached = [
    ...(row.practice_reached && row.practice_active && call.practiceId !== undefined ? [call.practiceId] : []),
    ...(row.task_reached && row.task_practice_id !== null ? [row.task_practice_id] : []),
  ];
  return {
    key: keyOf(call, row),
    channelActive: row.active,
    networkAllowed: row.network_allowed,
    rights: { atoms: row.atoms.map((atom) => knownWord(atoms, atom, "channel.atoms")), practices: reached },
    practice: { exists: row.practice_exists, active: row.practice_active },
    taskPracticeId: row.task_practice_id ?? undefined,
  };
}

function keyOf({ keyId, secretHash }: DeniedCallKey, row: Row): CallFacts["key"] {
  if (keyId === undefined) return row.any_live ? "live" : "no-live-key";
  if (!row.key_known) return "unknown-key";
  if (secretHash !== undefined && row.secret_same !== true) return "wrong-secret";
  if (row.revoked) return "key-revoked";
  return row.ended === true ? "key-ended" : "live";
}
