import { networkAllows } from "./admission.ts";
import { auditDetail } from "#lib/audit/model/entry";
import type { Store, Tx } from "#lib/db/db";

export type ClientRow = {
  readonly id: string;
  readonly channelId: string;
  readonly jwks: string;
  /** Where its keys are fetched from; null if they are in `jwks`. */
  readonly jwksUrl: string | null;
  readonly generation: number;
};

/** A live client of an active channel that may call from this address. */
export async function findClient(
  { pool }: Store,
  { clientId, address }: { clientId: string; address: string | undefined },
): Promise<ClientRow | undefined> {
  const { rows } = await pool.query<ClientRow>({
    name: "find-client",
    text: `
      SELECT k.id, k.channel_id AS "channelId", k.jwks, k.jwks_url AS "jwksUrl", k.generation
        FROM channel_key k JOIN channel c ON c.id = k.channel_id AND c.status = 'active'
       WHERE k.id = $1 AND k.kind = 'client' AND k.revoked_at IS NULL AND k.expires_at > clock_timestamp()
         AND ${networkAllows("c.networks", "$2::inet")}`,
    values: [clientId, address ?? null],
  });
  return rows[0];
}

type Assertion = {
  readonly client: Pick<ClientRow, "id" | "channelId">;
  /** The id of the key that signed it. */
  readonly kid: string | undefined;
  readonly jtiHash: Uint8Array;
  readonly expiresAt: Date;
};

/**
 * True for the first use of an assertion, in whichever process; the token it was used for is then recorded. Expired
 * assertions are deleted on the way.
 */
export async function useAssertion({ pool }: Store, { client, kid, jtiHash, expiresAt }: Assertion): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "use-assertion",
    text: `
      WITH first AS (
        INSERT INTO client_assertion (client_id, jti_hash, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
        RETURNING 1)
      SELECT audit_append($4, $4, 'channel.token-issued', NULL, $5) FROM first`,
    values: [
      client.id,
      jtiHash,
      expiresAt,
      `channel:${client.channelId}`,
      auditDetail({ client: client.id, ...(kid === undefined ? {} : { kid }) }),
    ],
  });
  await pool.query({
    name: "forget-assertions",
    text: "DELETE FROM client_assertion WHERE expires_at < clock_timestamp() - interval '10 minutes'",
  });
  return rowCount === 1;
}

type NewClient = {
  readonly id: string;
  readonly channelId: string;
  readonly jwks: string;
  readonly jwksUrl: string | null;
  readonly secretHash: Uint8Array;
  readonly keyDays: number;
};

export async function insertClient(
  tx: Tx,
  { id, channelId, jwks, jwksUrl, secretHash, keyDays }: NewClient,
): Promise<Date> {
  const [row] = await tx.$queryRaw<[{ expires_at: Date }]>`
    INSERT INTO channel_key (id, channel_id, kind, secret_hash, last_four, jwks, jwks_url, expires_at)
    VALUES (${id}, ${channelId}::uuid, 'client', ${Uint8Array.from(secretHash)}, ${id.slice(-4)}, ${jwks}, ${jwksUrl},
            clock_timestamp() + make_interval(days => ${keyDays}::int))
    RETURNING expires_at`;
  return row.expires_at;
}

/** Replaces the keys of a client, which ends every token of the generation before. */
export async function replaceClientKeys(
  tx: Tx,
  client: Omit<NewClient, "channelId"> & { readonly generation: number },
): Promise<void> {
  const { id, jwks, jwksUrl, secretHash, generation, keyDays } = client;
  await tx.$executeRaw`
    UPDATE channel_key
       SET jwks = ${jwks}, jwks_url = ${jwksUrl}, secret_hash = ${Uint8Array.from(secretHash)}, generation = ${generation},
           expires_at = clock_timestamp() + make_interval(days => ${keyDays}::int)
     WHERE id = ${id} AND kind = 'client' AND revoked_at IS NULL`;
}
