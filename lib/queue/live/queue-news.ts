import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { casesSince, type Heads } from "#lib/audit/store/heads";
import { casesInList, type QueueQuestion } from "#lib/queue/list-queue";
import { ofOwnPractices } from "./watched-practices.ts";

export type QueueNews = {
  /** The cases that have changed since. */
  readonly changed: readonly string[];
  /** Those of them that are in the view now. */
  readonly inView: readonly string[];
};

/** What changed in a view of the queue since its page was drawn, in the reviewer's own practices only. */
export async function queueNews(
  ctx: Context<PersonActor>,
  { since, question }: { since: Heads; question: QueueQuestion },
): Promise<QueueNews> {
  const changed = await casesSince(ctx.store, ofOwnPractices(ctx.actor, since));
  if (changed.length === 0) return { changed, inView: [] };
  return { changed, inView: await casesInList(ctx, question, changed) };
}
