import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { casesSince, type Heads } from "#lib/audit/shared/heads";
import { casesInList, type QueueQuestion } from "#lib/queue/list-queue";
import { loadRested } from "#lib/queue/store/snoozes";
import { ofOwnPractices } from "./watched-practices.ts";

export type QueueNews = {
  /** The cases that have changed since, or are snoozed no longer. */
  readonly changed: readonly string[];
  /** Those of them that are in the view now. */
  readonly inView: readonly string[];
};

type NewsQuery = {
  readonly since: Heads;
  readonly question: QueueQuestion;
  /** When the page was drawn; undefined where no snooze has ended since. */
  readonly drawn?: Date | undefined;
};

/** What changed in a view of the queue since its page was drawn, also by a snooze that ended, in the reviewer's own practices only. */
export async function queueNews(ctx: Context<PersonActor>, { since, question, drawn }: NewsQuery): Promise<QueueNews> {
  const own = ofOwnPractices(ctx.actor, since);
  const [acted, rested] = await Promise.all([
    casesSince(ctx.store, own),
    drawn ? loadRested(ctx.store, { practices: Object.keys(own), since: drawn }) : [],
  ]);
  const changed = [...new Set([...acted, ...rested])];
  if (changed.length === 0) return { changed, inView: [] };
  return { changed, inView: await casesInList(ctx, question, changed) };
}
