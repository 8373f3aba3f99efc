import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { nowMs } from "#lib/platform/now";
import { listEmergencyAccesses } from "#lib/task/emergency-access";

const lateMs = 7 * 86_400_000;

/** How many cases were opened in an emergency in the last seven days, where the person works. */
export async function lateEmergencies(ctx: Context<PersonActor>): Promise<number> {
  const since = nowMs() - lateMs;
  return (await listEmergencyAccesses(ctx)).filter(({ openedAt }) => openedAt.getTime() > since).length;
}
