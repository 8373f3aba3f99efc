import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { casesSince, type Heads } from "#lib/audit/store/heads";
import { casesFound, type QueueQuestion } from "#lib/queue/list-queue";
import { ofOwnPractices } from "./watched-practices.ts";

export type QueueNews = {
  /** The cases that changed since. */
  readonly changed: readonly string[];
  /** Those of them that the page would show now. */
  readonly inView: readonly string[];
};

/** What happened in a view of the queue since a page of it was drawn; in the reviewer's own practices alone. */
export async function queueNews(
  ctx: Context<PersonActor>,
  { since, question }: { since: Heads; question: QueueQuestion },
): Promise<QueueNews> {
  const changed = await casesSince(ctx.store, ofOwnPractices(ctx.actor, since));
  if (changed.length === 0) return { changed, inView: [] };
  return { changed, inView: await casesFound(ctx, question, changed) };
}
