import type { Grant } from "#lib/access/model/grant";
import type { Store, Tx } from "#lib/db/db";

/** SQL: the practices that the session `s` may not act in, because it was not begun through the provider. */
export const shutColumn = `
  CASE WHEN s.issuer IS NULL THEN (SELECT coalesce(array_agg(id), '{}') FROM practice WHERE sso_only) ELSE '{}' END`;

/**
 * The roles that apply in a session that these practices are closed to; a role for every practice needs all of them
 * open.
 */
export function openGrants(grants: readonly Grant[], shut: readonly string[]): readonly Grant[] {
  if (shut.length === 0) return grants;
  return grants.filter(({ practiceId }) => practiceId !== undefined && !shut.includes(practiceId));
}

/** SQL: whether the person $1 has a role in a practice that only the provider may let them into. */
const isShut = `EXISTS (
  SELECT FROM practice pr JOIN person p ON p.id = $1::uuid
   WHERE pr.sso_only AND (p.everywhere <> '{}' OR p.everywhere_by_group <> '{}'
          OR EXISTS (SELECT FROM person_role r WHERE r.person_id = p.id AND r.practice_id = pr.id)))`;

/**
 * Whether this person has a role in a practice that only the provider may let them into. Takes the same time for an
 * unknown person.
 */
export async function isPasswordShut({ pool }: Store, personId: string | undefined): Promise<boolean> {
  const { rows } = await pool.query<{ shut: boolean }>(`SELECT ${isShut} AS shut`, [personId ?? null]);
  return rows[0]?.shut ?? false;
}

/**
 * Whether somebody could sign in without the provider, by password or passkey, and work in the practices of their
 * roles.
 */
export async function canSignInOtherwise(tx: Tx, personId: string): Promise<boolean> {
  const [row] = await tx.$queryRawUnsafe<{ other: boolean }[]>(
    `SELECT NOT ${isShut} AND (EXISTS (SELECT FROM person WHERE id = $1::uuid AND password_hash IS NOT NULL)
                               OR EXISTS (SELECT FROM passkey WHERE person_id = $1::uuid)) AS other`,
    personId,
  );
  return row?.other ?? false;
}

/**
 * Whether the password proves somebody's identity in this session. Not if the session was begun through the provider,
 * nor if the person's practice forbids passwords.
 */
export async function provesByPassword(
  store: Store,
  { personId, sessionId }: { readonly personId: string; readonly sessionId: string },
): Promise<boolean> {
  const { rows } = await store.pool.query<{ proves: boolean }>(
    `SELECT EXISTS (SELECT FROM session WHERE id = $2::uuid AND person_id = $1::uuid AND issuer IS NULL) AND NOT ${isShut} AS proves`,
    [personId, sessionId],
  );
  return rows[0]?.proves ?? false;
}
