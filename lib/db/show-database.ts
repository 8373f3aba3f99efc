import { setTimeout } from "node:timers/promises";
import { instruments, showConnections } from "#lib/platform/metrics/instruments";
import type { Store } from "./db.ts";

/** Longest that the database may take before it counts as giving no answer; Prometheus waits for ten seconds. */
const answerMs = 3_000;

/** Shows in the metrics of this process whether its database answers, which is asked now, and what connections it has. */
export async function showDatabase({ pool }: Pick<Store, "pool">): Promise<void> {
  const ended = new AbortController();
  const answers = pool.query({ name: "answers", text: "SELECT 1" }).then(
    () => true,
    () => false,
  );
  const late = setTimeout(answerMs, false, { signal: ended.signal }).catch(() => false);
  const isAnswered = await Promise.race([answers, late]);
  ended.abort();
  instruments().databaseAnswers.set(isAnswered ? 1 : 0);
  showConnections(pool);
}
