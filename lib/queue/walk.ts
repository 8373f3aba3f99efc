import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { State } from "#lib/task/model/task";
import { listWaiting, type WaitingRow } from "#lib/queue/store/queue-pages";
import type { QueueQuery } from "#lib/queue/store/queue-sections";
import { cursorAt, queryOf, readCursor, type QueueQuestion } from "./list-queue.ts";

/** States in which a person decides. */
const waiting: readonly State[] = ["transmit-held", "void-held"];

/** As far as a walk looks ahead; in a longer list a case beyond has no number. */
const walkMax = 200;

/** The cases to decide of a list, as seen from one of them. */
export type Walk = {
  /** From 1; undefined for a case that is not among them. */
  readonly position?: number | undefined;
  readonly total: number;
  /** There are more than `total`. */
  readonly more: boolean;
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
  /** The place of the case, opaque, from which `nextToDecide` goes on once it has left the list. */
  readonly place?: string | undefined;
};

/** Where a case stands among those of a list that this reviewer can decide. */
export async function walkFrom(ctx: Context<PersonActor>, question: QueueQuestion, taskId: string): Promise<Walk> {
  const query = await waitingQuery(ctx, question);
  if (!query) return { total: 0, more: false };
  const found = await listWaiting(ctx.store, query, { size: walkMax, from: readCursor(question.place) });
  const rows = found.slice(0, walkMax).filter(({ id, voted }) => id === taskId || !voted);
  const more = found.length > walkMax;
  const index = rows.findIndex(({ id }) => id === taskId);
  const here = rows[index];
  if (!here) return { total: rows.length, more, next: rows[0]?.id };
  return {
    // A page further on does not know how many came before it.
    position: question.place === undefined ? index + 1 : undefined,
    total: rows.length,
    more,
    previous: rows[index - 1]?.id,
    next: rows[index + 1]?.id,
    place: cursorAt(here, "after"),
  };
}

export type NextCase =
  | { readonly taskId: string; readonly heldByOthers?: undefined }
  /** How many are left that others work on, at most as many as a walk looks at. */
  | { readonly taskId?: undefined; readonly heldByOthers: number };

/**
 * The next case of a list that this reviewer can decide and nobody else is at: the first after a place, else the first
 * of the list. It is found now, so a case that was taken or decided meanwhile is passed over.
 */
export async function nextToDecide(
  ctx: Context<PersonActor>,
  question: QueueQuestion,
  { after, but }: { readonly after?: string | undefined; readonly but?: string | undefined } = {},
): Promise<NextCase> {
  const query = await waitingQuery(ctx, question);
  if (!query) return { heldByOthers: 0 };
  const isMine = ({ id, voted, taken }: WaitingRow) => id !== but && !voted && !taken;
  const from = readCursor(after);
  const following = from ? await listWaiting(ctx.store, query, { size: nearMax, from }) : [];
  const near = following.find(isMine);
  if (near) return { taskId: near.id };
  const all = await listWaiting(ctx.store, query, { size: walkMax });
  const first = all.find(isMine);
  if (first) return { taskId: first.id };
  return { heldByOthers: all.filter(({ id, voted, taken }) => id !== but && !voted && taken).length };
}

/** As many as are looked at before the whole list is. */
const nearMax = 20;

async function waitingQuery(ctx: Context<PersonActor>, question: QueueQuestion): Promise<QueueQuery | undefined> {
  const query = await queryOf(ctx, question);
  return query && query !== "ended" ? { ...query, among: waiting } : undefined;
}
