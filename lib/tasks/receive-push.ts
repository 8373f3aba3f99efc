import { createHash, timingSafeEqual } from "node:crypto";
import { taskOfTrace } from "#lib/payer/trace";
import { connectors } from "#lib/payer/connectors";
import type { Store } from "#lib/store/db";
import { keepPush, sentTasks } from "#lib/store/pushes";
import { askSoon } from "#lib/store/work";
import { confirmSubscription, loadPushDoor, type PushDoor } from "#lib/store/subscriptions";

/** What an unknown door is compared with, so that it takes as long as a known one. */
const noSecret = "no door has this secret";

/**
 * The door a payer may come by with this secret. A door that does not exist and
 * one with another secret are the same to whoever asks.
 */
export async function openPushDoor(
  store: Store,
  { routeId, secret }: { routeId: string; secret: string },
): Promise<PushDoor | undefined> {
  const door = await loadPushDoor(store, routeId);
  const right = timingSafeEqual(sha256(secret), sha256(door?.secret ?? noSecret));
  return door && right ? door : undefined;
}

/** What became of a push: its digest, how many cases it named, the tasks it was kept with, how many are asked about now. */
type Kept = {
  readonly digest: string;
  readonly named: number;
  readonly taskIds: readonly string[];
  readonly asked: number;
};

/**
 * Keeps what a payer pushed with every task it is about, before the payer is
 * told that it arrived. Only tasks of the door's own practice and payer of
 * which something was sent; what is about none of them is kept for nobody. A
 * hint that something happened brings the questions forward that wait.
 */
export async function receivePush(
  store: Store,
  { routeId, practiceId, payerId, connector }: PushDoor,
  body: Uint8Array,
): Promise<Kept> {
  const { traces = [], isHint = false } = connectors[connector].onPush?.(body) ?? {};
  const taskIds = [...new Set(traces.flatMap((trace) => taskOfTrace(trace) ?? []))];
  const known = taskIds.length === 0 ? [] : await sentTasks(store, { practiceId, payerId, taskIds });
  const digest = sha256(body).toString("hex");
  for (const taskId of known) await keepPush(store, { taskId, practiceId, digest, body });
  await confirmSubscription(store, routeId);
  const asked = isHint ? await askSoon(store, { practiceId, payerId }) : 0;
  return { digest, named: traces.length, taskIds: known, asked };
}

function sha256(value: string | Uint8Array): Buffer {
  return createHash("sha256").update(value).digest();
}
