import type { Context } from "#lib/access/context";
import { actorName, type PersonActor } from "#lib/access/model/actor";
import { lastActSince } from "#lib/audit/shared/heads";
import { isUuid } from "#lib/platform/uuid";
import { watchedPractices } from "./watched-practices.ts";

/** The last act of another actor on a case. */
export type CaseNews = {
  readonly act: string;
  /** The kind of the actor. */
  readonly by: string;
  readonly name: string | undefined;
};

/** What another actor did to a case since its page was drawn; undefined if nothing, or if the case is not the reviewer's. */
export async function caseNews(
  ctx: Context<PersonActor>,
  { taskId, since }: { taskId: string; since: number },
): Promise<CaseNews | undefined> {
  if (!isUuid(taskId)) return undefined;
  const practices = watchedPractices(ctx.actor);
  const last = await lastActSince(ctx.store, { taskId, practices, since, actor: actorName(ctx.actor) });
  return last && { act: last.act, by: last.actor.split(":", 1)[0] ?? "", name: last.name ?? undefined };
}
