import type { Store, Tx } from "#lib/db/db";
import { newId } from "#lib/db/new-id";
import type { SavedView } from "#lib/queue/model/saved-view";
import { isUuid } from "#lib/platform/uuid";

type Row = { id: string; name: string; query: string; practice_id: string | null; practice_name: string | null };

/** A person's own views, and those that these practices share: their own first, each by name. */
export async function loadViews(
  store: Store,
  { personId, practices }: { readonly personId: string; readonly practices: readonly string[] },
): Promise<readonly SavedView[]> {
  const { rows } = await store.pool.query<Row>({
    name: "load-saved-views",
    text: `
      SELECT id, name, query, NULL AS practice_id, NULL AS practice_name, 0 AS rank FROM saved_view WHERE person_id = $1::uuid
      UNION ALL
      SELECT v.id, v.name, v.query, v.practice_id, p.name, 1 FROM shared_view v JOIN practice p ON p.id = v.practice_id
       WHERE v.practice_id = ANY ($2::text[])
       ORDER BY rank, name, id`,
    values: [personId, practices],
  });
  return rows.map(({ id, name, query, practice_id: practiceId, practice_name: practiceName }) => ({
    ...{ id, name, query },
    practice: practiceId === null ? undefined : { id: practiceId, name: practiceName ?? practiceId },
  }));
}

type NewView = {
  /** The person, or the practice that shares it. */
  readonly of: { readonly personId: string; readonly practiceId: string | undefined };
  readonly name: string;
  readonly query: string;
  readonly max: number;
};

/** Keeps a view; its id. Undefined if there are `max` already: one is kept at a time, so that two never exceed it. */
export async function insertView(tx: Tx, { of, name, query, max }: NewView): Promise<string | undefined> {
  const { personId, practiceId } = of;
  const id = newId();
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`saved-views:${practiceId ?? personId}`}, 0))`;
  const saved =
    practiceId === undefined
      ? await tx.$executeRaw`
          INSERT INTO saved_view (id, person_id, name, query) SELECT ${id}::uuid, ${personId}::uuid, ${name}, ${query}
           WHERE (SELECT count(*) FROM saved_view WHERE person_id = ${personId}::uuid) < ${max}`
      : await tx.$executeRaw`
          INSERT INTO shared_view (id, practice_id, person_id, name, query)
          SELECT ${id}::uuid, ${practiceId}, ${personId}::uuid, ${name}, ${query}
           WHERE (SELECT count(*) FROM shared_view WHERE practice_id = ${practiceId}) < ${max}`;
  return saved > 0 ? id : undefined;
}

/** A view of this person, or one that these practices share. */
type StoredView = { readonly id: string; readonly personId: string; readonly practices: readonly string[] };

/** What was changed: the practice of a shared view, none of an own one. Undefined if there is no such view. */
type ViewChange = { readonly practiceId: string | undefined } | undefined;

export async function renameView(
  tx: Tx,
  { id, personId, practices, name }: StoredView & { name: string },
): Promise<ViewChange> {
  if (!isUuid(id)) return undefined;
  const own = await tx.$executeRaw`
    UPDATE saved_view SET name = ${name} WHERE id = ${id}::uuid AND person_id = ${personId}::uuid`;
  if (own > 0) return { practiceId: undefined };
  const [shared] = await tx.$queryRaw<{ practice_id: string }[]>`
    UPDATE shared_view SET name = ${name} WHERE id = ${id}::uuid AND practice_id = ANY (${[...practices]}::text[])
    RETURNING practice_id`;
  return shared && { practiceId: shared.practice_id };
}

export async function deleteView(tx: Tx, { id, personId, practices }: StoredView): Promise<ViewChange> {
  if (!isUuid(id)) return undefined;
  const own = await tx.$executeRaw`
    DELETE FROM saved_view WHERE id = ${id}::uuid AND person_id = ${personId}::uuid`;
  if (own > 0) return { practiceId: undefined };
  const [shared] = await tx.$queryRaw<{ practice_id: string }[]>`
    DELETE FROM shared_view WHERE id = ${id}::uuid AND practice_id = ANY (${[...practices]}::text[])
    RETURNING practice_id`;
  return shared && { practiceId: shared.practice_id };
}
