import { isUuid } from "#lib/platform/uuid";
import { keysOf } from "#lib/db/practice-keys";
import { newId } from "#lib/db/new-id";
import type { Store, Tx } from "#lib/db/db";
import { openText, sealText } from "#lib/db/sealed";
import { now, nowMs } from "#lib/platform/now";

const lifeMs = 15 * 60 * 1000;

/** Sealed for the person, as other values are for their practice, so no other key opens it. */
const rowOf = (id: string, personId: string) => ({ row: id, practiceId: `person:${personId}` });

/** Keeps a person's search, sealed, for fifteen minutes, and deletes their earlier ones that are over. */
export async function keepSearch(tx: Tx, { personId, text }: { personId: string; text: string }) {
  const id = newId();
  await tx.caseSearch.deleteMany({ where: { personId, expiresAt: { lt: now() } } });
  await keysOf(tx)?.ready([]);
  const sealed = sealText(tx, "case_search.text", rowOf(id, personId), text);
  await tx.caseSearch.create({ data: { id, personId, text: sealed, expiresAt: new Date(nowMs() + lifeMs) } });
  return id;
}

/** This person's search under this id. Undefined if it is not theirs, or over. */
export async function loadSearch(
  store: Store,
  { id, personId }: { id: string; personId: string },
): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await store.prisma.caseSearch.findFirst({ where: { id, personId, expiresAt: { gt: now() } } });
  await store.keys.ready([]);
  return row ? openText(store, "case_search.text", rowOf(row.id, personId), row.text) : undefined;
}
