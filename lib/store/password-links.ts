import type { Store, Tx } from "./db.ts";

export type LinkRecord = {
  readonly personId: string;
  readonly email: string;
  readonly name: string;
  readonly status: string;
  readonly isOver: boolean;
};

/** Puts this link in place of any other of the person; gives when it ends, by the database's clock. */
export async function putLink(
  tx: Tx,
  { personId, tokenHash, hours }: { personId: string; tokenHash: Uint8Array; hours: number },
): Promise<Date> {
  const [row] = await tx.$queryRaw<[{ expires_at: Date }]>`
    INSERT INTO password_link (person_id, token_hash, expires_at)
    VALUES (${personId}::uuid, ${Uint8Array.from(tokenHash)}, clock_timestamp() + make_interval(hours => ${hours}::int))
    ON CONFLICT (person_id) DO UPDATE SET token_hash = excluded.token_hash, expires_at = excluded.expires_at
    RETURNING expires_at`;
  return row.expires_at;
}

export async function removeLink(tx: Tx, personId: string): Promise<void> {
  await tx.passwordLink.deleteMany({ where: { personId } });
}

/** Whose link it is, of somebody who may use it; nothing is used up. */
export async function findLink(store: Store, tokenHash: Uint8Array): Promise<LinkRecord | undefined> {
  const { rows } = await store.pool.query<LinkRecord>(
    `SELECT p.id AS "personId", p.email, p.name, p.status, l.expires_at <= clock_timestamp() AS "isOver"
       FROM password_link l JOIN person p ON p.id = l.person_id AND p.status <> 'disabled' WHERE l.token_hash = $1`,
    [tokenHash],
  );
  return rows[0];
}

/** Whether the link still works; it is held until the commit. */
export async function holdLink(tx: Tx, tokenHash: Uint8Array): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM password_link WHERE token_hash = ${Uint8Array.from(tokenHash)} AND expires_at > clock_timestamp() FOR UPDATE`;
  return rows.length > 0;
}

/** Uses a link up; of several at once, true for one alone. */
export async function takeLink(
  tx: Tx,
  { personId, tokenHash }: { personId: string; tokenHash: Uint8Array },
): Promise<boolean> {
  const taken = await tx.$executeRaw`
    DELETE FROM password_link WHERE person_id = ${personId}::uuid AND token_hash = ${Uint8Array.from(tokenHash)}
       AND expires_at > clock_timestamp()`;
  return taken > 0;
}
