import { query, type Tx } from "#lib/db/db";

const text = `SELECT 1 FROM person p JOIN person_role r ON r.person_id = p.id AND r.role = 'reviewer' AND r.practice_id = $2
  WHERE p.id = $1::uuid AND p.status = 'active'`;

/**
 * Whether a person still reviews for a practice, as the transaction sees it. Their session was read before it began, and
 * they may have been deactivated or have lost the role since.
 */
export async function stillReviews(
  tx: Tx,
  { personId, practiceId }: { readonly personId: string; readonly practiceId: string },
): Promise<boolean> {
  return (await query(tx, { name: "still-reviews", text, values: [personId, practiceId] })).length > 0;
}
