import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { appendAudit } from "#lib/audit/shared/append-audit";
import { inTransaction, type Store, type Tx } from "#lib/db/db";
import { ok, refuse, type Result } from "#lib/platform/result";
import { savedViewsMax, viewName, viewQueryMax, type SavedView } from "#lib/queue/model/saved-view";
import { lockReviewer } from "#lib/queue/store/assignees";
import { deleteView, insertView, loadViews, renameView } from "#lib/queue/store/saved-views";
import { reviewedBy } from "#lib/task/desk-refusal";
import { loadChoices } from "#lib/queue/store/queue-choices";
import { countLists } from "#lib/queue/store/queue-counts";
import { otherViewsMax, queryOf } from "./list-queue.ts";
import { addressOf, readAddress, type Address } from "./queue-address.ts";

/** Why a view was not saved, renamed or deleted. */
export type ViewRefusal =
  /** No such view, or it is somebody else's; or somebody who reviews for no practice. */
  | { readonly type: "not-found" }
  /** The name is empty, too long, or not a line of text. */
  | { readonly type: "invalid" }
  /** What is searched for may be of a patient, and is never kept. */
  | { readonly type: "search" }
  /** The code of the filter is none. */
  | { readonly type: "not-a-code" }
  /** The filter names a practice they do not review for, or a payer that none of theirs has. */
  | { readonly type: "not-a-place" }
  /** They do not review for the practice, or the list is narrowed to another one. */
  | { readonly type: "not-able" }
  | { readonly type: "too-many"; readonly max: number };

/** Procedure codes as the code systems write them: a filter takes any text, and a saved view must not hold a name. */
const codeShape = /^(?=.*\d)[A-Z0-9][A-Z0-9.-]{0,11}$/;

/** The views that a reviewer saved, and those that their practices share. */
export async function savedViews({ actor, store }: Context<PersonActor>): Promise<readonly SavedView[]> {
  const practices = reviewedBy(actor);
  return practices.length === 0 ? [] : loadViews(store, { personId: actor.id, practices });
}

/** How many cases each of these views has, up to one more than 99, by its id. */
export async function countSavedViews(
  ctx: Context<PersonActor>,
  views: readonly SavedView[],
): Promise<ReadonlyMap<string, number>> {
  const counted = await Promise.all(
    views.map(async ({ id, query }) => {
      const found = await queryOf(ctx, readGiven(query));
      return found && found !== "ended" ? [{ id, query: found }] : [];
    }),
  );
  const lists = counted.flat();
  const queries = lists.map(({ query }) => query);
  const counts = await countLists(ctx.store, queries, otherViewsMax + 1);
  return new Map(lists.map(({ id }, index) => [id, counts[index] ?? 0]));
}

export type ViewToSave = {
  readonly name: string;
  /** Of the list's address. */
  readonly query: string;
  /** To share it with the reviewers of this practice. */
  readonly practiceId?: string | undefined;
};

/**
 * Keeps a list under a name: view, filters and order, no search and no page of it. Shared, it is for all who review for
 * the practice, and on record there.
 */
export async function saveView(
  { actor, store }: Context<PersonActor>,
  { name: typed, query: given, practiceId }: ViewToSave,
): Promise<Result<{ readonly query: string }, ViewRefusal>> {
  const practices = reviewedBy(actor);
  if (practices.length === 0) return refuse({ type: "not-found" });
  const name = viewName(typed);
  if (name === undefined) return refuse({ type: "invalid" });
  const read = queryToKeep(given, practiceId);
  if (!read.ok) return read;
  if (!(await namesOwn(store, practices, given))) return refuse({ type: "not-a-place" });
  const query = read.value;
  if (practiceId !== undefined && !practices.includes(practiceId)) return refuse({ type: "not-able" });
  return inTransaction(store, async (tx) => {
    if (practiceId !== undefined && !(await lockReviewer(tx, { personId: actor.id, practiceId })))
      return refuse({ type: "not-able" });
    const of = { personId: actor.id, practiceId };
    const id = await insertView(tx, { of, name, query, max: savedViewsMax });
    if (id === undefined) return refuse({ type: "too-many", max: savedViewsMax });
    if (practiceId !== undefined)
      await appendAudit(tx, { chain: practiceId, actor, act: "view.shared", detail: { view: id } });
    return ok({ query });
  });
}

/** An ID of a payer as they usually are; any other text may be a name. */
const payerShape = /^(?=.*\d)[A-Z0-9][A-Z0-9._-]{0,31}$/i;

/** Whether the filters name only practices and payers of the reader's, since both take any text. */
async function namesOwn(store: Store, practices: readonly string[], given: string): Promise<boolean> {
  const { practice, payer } = readGiven(given).filters;
  if (practice !== undefined && !practices.includes(practice)) return false;
  if (payer === undefined || payerShape.test(payer)) return true;
  const { payers } = await loadChoices(store, practices);
  return payers.some(({ id }) => id === payer);
}

function readGiven(query: string): Address {
  return readAddress(Object.fromEntries(new URLSearchParams(query)));
}

/** What of an address is kept. */
function queryToKeep(given: string, practiceId: string | undefined): Result<string, ViewRefusal> {
  const address = readGiven(given);
  const { view, sort, filters, text, search } = address;
  if (text !== undefined || search !== undefined) return refuse({ type: "search" });
  if (filters.code !== undefined && !codeShape.test(filters.code)) return refuse({ type: "not-a-code" });
  const isElsewhere = practiceId !== undefined && (filters.practice ?? practiceId) !== practiceId;
  if (isElsewhere) return refuse({ type: "not-able" });
  const query = addressOf({ view, sort, filters }).slice("/queue?".length);
  return query.length > viewQueryMax ? refuse({ type: "invalid" }) : ok(query);
}

/** Gives a view another name: the reader's own, or one that a practice of theirs shares. */
export async function nameView(
  { actor, store }: Context<PersonActor>,
  { id, name: typed }: { readonly id: string; readonly name: string },
): Promise<Result<"done", ViewRefusal>> {
  const name = viewName(typed);
  if (name === undefined) return refuse({ type: "invalid" });
  const known = { id, personId: actor.id, practices: reviewedBy(actor) };
  return inTransaction(store, async (tx) => {
    const changed = await renameView(tx, { ...known, name });
    return changed ? record(tx, { actor, act: "view.renamed", id, ...changed }) : refuse({ type: "not-found" });
  });
}

/** Deletes a view, for everybody who shares it. */
export async function dropView(
  { actor, store }: Context<PersonActor>,
  { id }: { readonly id: string },
): Promise<Result<"done", ViewRefusal>> {
  const known = { id, personId: actor.id, practices: reviewedBy(actor) };
  return inTransaction(store, async (tx) => {
    const changed = await deleteView(tx, known);
    return changed ? record(tx, { actor, act: "view.deleted", id, ...changed }) : refuse({ type: "not-found" });
  });
}

type ViewEntry = {
  readonly actor: PersonActor;
  readonly act: "view.renamed" | "view.deleted";
  readonly id: string;
  readonly practiceId: string | undefined;
};

/** What somebody does with a view of their own is nobody else's, and on no record. */
async function record(tx: Tx, { actor, act, id, practiceId }: ViewEntry): Promise<Result<"done", never>> {
  if (practiceId !== undefined) await appendAudit(tx, { chain: practiceId, actor, act, detail: { view: id } });
  return ok("done");
}
