import type { AdminRefusal } from "#lib/access/refusal";
import { refuse, type Result } from "#lib/platform/result";
import type { Environment } from "#lib/task/model/environment";
import { livePractices } from "#lib/practice/shared/practices";
import type { Tx } from "#lib/db/db";
import { channelProblems } from "#lib/messages/problems/admin";

/**
 * Refuses practices that are live for a channel of test data. They are locked until the commit, so that none of them
 * becomes live meanwhile. Undefined where the channel may reach them all.
 */
export async function refuseLivePractices(
  tx: Tx,
  environment: Environment,
  practices: readonly string[],
): Promise<(Result<never, AdminRefusal> & { readonly ok: false }) | undefined> {
  if (environment === "live") return undefined;
  const live = await livePractices(tx, practices);
  const issues = live.map((id) => ({ field: "practices", problem: channelProblems.liveForTestChannel(id) }));
  return issues.length === 0 ? undefined : refuse({ type: "invalid", issues });
}
