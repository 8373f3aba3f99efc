import type { PersonActor } from "#lib/access/model/actor";
import type { Store } from "#lib/db/db";
import type { ProofKind } from "#lib/person/model/proof-kind";

/** Somebody with a second factor here uses it; everybody else verifies as they did to begin this session. */
export async function proofKindOf(
  { prisma }: Store,
  { id: personId, issuer }: Pick<PersonActor, "id" | "issuer">,
): Promise<ProofKind> {
  const [row] = await prisma.$queryRaw<{ passkey: boolean; totp: boolean }[]>`
    SELECT EXISTS (SELECT FROM passkey WHERE person_id = ${personId}::uuid) AS passkey,
           EXISTS (SELECT FROM totp WHERE person_id = ${personId}::uuid AND confirmed_at IS NOT NULL) AS totp`;
  return row?.passkey ? "passkey" : row?.totp ? "code" : issuer === undefined ? "password" : "provider";
}
