import type { Store, Tx } from "#lib/db/db";

/** Credential ids are base64url; nothing else is looked up. */
function isBase64url(text: string): boolean {
  return /^[\w-]{1,1400}$/.test(text);
}

/** Uses up a signed challenge, with its signature's purpose. False if it was used before. */
export async function useChallenge(tx: Tx, { challenge, until }: { challenge: string; until: Date }): Promise<boolean> {
  const { count } = await tx.usedPasskeyChallenge.createMany({ data: { challenge, until }, skipDuplicates: true });
  return count === 1;
}

export type Passkey = {
  readonly id: string;
  readonly personId: string;
  readonly email: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
};

/** A passkey of somebody who may sign in. */
export async function loadPasskey({ prisma }: Store, id: string): Promise<Passkey | undefined> {
  if (!isBase64url(id)) return undefined;
  const row = await prisma.passkey.findFirst({
    where: { id, person: { status: "active" } },
    select: { id: true, personId: true, publicKey: true, counter: true, person: { select: { email: true } } },
  });
  if (!row) return undefined;
  const { person, counter, ...passkey } = row;
  return { ...passkey, email: person.email, counter: Number(counter) };
}

/** What a browser needs to offer these passkeys. */
export async function passkeyHandles({ prisma }: Store, personId: string) {
  return prisma.passkey.findMany({ where: { personId }, select: { id: true, transports: true } });
}

/** Records a use. A counter that does not increase indicates a copy; a device without a counter stays at 0. */
export async function markPasskeyUsed(tx: Tx, { id, counter }: { id: string; counter: number }): Promise<boolean> {
  const count = await tx.$executeRaw`
    UPDATE passkey SET counter = ${counter}, last_used_at = clock_timestamp()
     WHERE id = ${id} AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0))`;
  return count === 1;
}

const passkeysMax = 20;

export type NewPasskey = Omit<Passkey, "email"> & { readonly name: string; readonly transports: readonly string[] };

/** False if the device is registered already, or there are too many. The caller has locked the person. */
export async function insertPasskey(tx: Tx, { transports, ...passkey }: NewPasskey): Promise<boolean> {
  if ((await tx.passkey.count({ where: { personId: passkey.personId } })) >= passkeysMax) return false;
  const { count } = await tx.passkey.createMany({
    data: { ...passkey, transports: [...transports] },
    skipDuplicates: true,
  });
  return count === 1;
}

export async function renamePasskeyRow(tx: Tx, { id, personId, name }: Pick<NewPasskey, "id" | "personId" | "name">) {
  if (!isBase64url(id)) return false;
  const { count } = await tx.passkey.updateMany({ where: { id, personId }, data: { name } });
  return count === 1;
}

/**
 * Whether this passkey, or passkeys in general, are the only way for somebody to sign in: no password, no provider, no
 * other passkey.
 */
export async function isOnlySignIn(tx: Tx, personId: string, passkeyId?: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ only: boolean }[]>`
    SELECT p.password_hash IS NULL AND NOT EXISTS (SELECT FROM person_identity i WHERE i.person_id = p.id)
           AND NOT EXISTS (SELECT FROM passkey k WHERE k.person_id = p.id AND k.id <> ${passkeyId ?? null}) AS only
      FROM person p WHERE p.id = ${personId}::uuid`;
  return row?.only ?? false;
}

export async function deletePasskey(tx: Tx, { id, personId }: { id: string; personId: string }): Promise<boolean> {
  if (!isBase64url(id)) return false;
  const { count } = await tx.passkey.deleteMany({ where: { id, personId } });
  return count === 1;
}
