import type { Actor } from "#lib/access/model/actor";
import type { Store, Tx } from "#lib/db/db";

export type LinkRecord = {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly status: string;
  readonly isOver: boolean;
  /** The admin who gave it; null for the operator. */
  readonly givenBy: string | null;
};

/** Who gave a link, as stored. */
export type LinkIssuer = Pick<LinkRecord, "givenBy">;

/** Replaces any earlier link of the person. Returns when it expires, by the database's clock. */
export async function putLink(
  tx: Tx,
  { personId, tokenHash, hours, giver }: { personId: string; tokenHash: Uint8Array; hours: number; giver: Actor },
): Promise<Date> {
  const givenBy = giver.kind === "person" ? giver.id : null;
  const [row] = await tx.$queryRaw<[{ expires_at: Date }]>`
    INSERT INTO password_link (person_id, token_hash, expires_at, given_by)
    VALUES (${personId}::uuid, ${Uint8Array.from(tokenHash)}, clock_timestamp() + make_interval(hours => ${hours}::int), ${givenBy}::uuid)
    ON CONFLICT (person_id) DO UPDATE
      SET token_hash = excluded.token_hash, expires_at = excluded.expires_at, given_by = excluded.given_by
    RETURNING expires_at`;
  return row.expires_at;
}

export async function removeLink(tx: Tx, personId: string): Promise<void> {
  await tx.passwordLink.deleteMany({ where: { personId } });
}

/** The person who may use this link. Nothing is used up. */
export async function findLink(store: Store, tokenHash: Uint8Array): Promise<LinkRecord | undefined> {
  const { rows } = await store.pool.query<LinkRecord>(
    `SELECT p.id AS "personId", p.email, p.name, p.status, l.expires_at <= clock_timestamp() AS "isOver",
            l.given_by AS "givenBy"
       FROM password_link l JOIN person p ON p.id = l.person_id AND p.status <> 'disabled' WHERE l.token_hash = $1`,
    [tokenHash],
  );
  return rows[0];
}

/** Who gave a link that still works; it is locked until the commit. */
export async function lockLink(tx: Tx, tokenHash: Uint8Array): Promise<LinkIssuer | undefined> {
  const [row] = await tx.$queryRaw<LinkIssuer[]>`
    SELECT given_by AS "givenBy" FROM password_link
     WHERE token_hash = ${Uint8Array.from(tokenHash)} AND expires_at > clock_timestamp() FOR UPDATE`;
  return row;
}
