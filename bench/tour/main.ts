import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { storeForPerson } from "#lib/db/for-practices";
import type { Store } from "#lib/db/db";
import { releaseGate } from "#lib/gate/release-gate";
import type { ShownGate } from "#lib/task/model/lifecycle/command";
import { gateOf, stateOf } from "#lib/task/model/task";
import { loadTask } from "#lib/task/store/load-task";
import { rowToTask } from "#lib/task/store/task-rows";
import { submit } from "#lib/worker/submit";
import { callEdge, edgeDeps, intakeParams, rpc } from "#test/support/agents/edge";
import { fullReview } from "#test/support/agents/reviews";
import { unguarded } from "#test/support/database/ledgers";
import { done } from "#test/support/people/admin";
import { openOwnDatabase } from "../../scripts/database/database.mjs";
import { migrate } from "../../scripts/database/migrate.ts";
import { readSecrets } from "../../scripts/start/environment.mjs";
import { root } from "../../scripts/setup/files.mjs";
import { makeDesks, type Desk } from "../../test/rig/scene.ts";
import { rigStore, startSimulator, type Secrets } from "../../test/rig/service.ts";
import { byFolder, filesPassed, linesOf } from "./passed-files.ts";

/**
 * The files of `lib` that an intake and a release pass, as docs/tour.md lists them: in this one process over a real
 * Postgres and the simulated payer, for the second of its kind, so that what runs once after the start is left out.
 */
export async function countTour(): Promise<void> {
  const folder = join(root, "bench", "out", "tour");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // Safe because it makes what is missing of these.
  const secrets = readSecrets(folder) as Secrets;
  const database = await openOwnDatabase(folder, secrets);
  try {
    await migrate(database);
    const payer = await startSimulator(folder);
    const store = rigStore(database.appUrl, secrets);
    try {
      const [desk] = await makeDesks(store, { payerUrl: payer.url, count: 1 });
      if (!desk) throw new Error("There is one desk.");
      await count(store, desk);
    } finally {
      await store.close();
      await payer.process.stop();
    }
  } finally {
    await database.stop();
  }
}

async function count(store: Store, desk: Desk): Promise<void> {
  const send = senderAt(store, desk);
  const first = await send("TOUR-1");
  let second = "";
  say(
    "An intake",
    await filesPassed(async () => {
      second = await send("TOUR-2");
    }),
  );
  await release(store, desk, first, await shownGate(store, first));
  const seen = await shownGate(store, second);
  say("A release", await filesPassed(() => release(store, desk, second, seen)));
  const row = await loadTask(store, { taskId: second, practices: "every" });
  const state = row && stateOf(rowToTask(store, row));
  if (state !== "determined") throw new Error(`The payer's answer was not recorded: the case is ${state}.`);
}

/** Sends a request of a member of its own to the endpoint, so that no case is another one's duplicate. */
function senderAt(store: Store, { practiceId, key }: Desk): (memberId: string) => Promise<string> {
  const deps = edgeDeps(store);
  return async (memberId) => {
    const review = { ...fullReview, subscriber: { ...fullReview.subscriber, memberId } };
    const { text, json } = await callEdge(deps, rpc("message/send", intakeParams({ practiceId, review })), { key });
    if (json.result === undefined) throw new Error(`The intake was refused: ${text}`);
    return json.result.id;
  };
}

async function shownGate(store: Store, taskId: string): Promise<ShownGate> {
  const row = await loadTask(store, { taskId, practices: "every" });
  const gate = row && gateOf(rowToTask(store, row));
  if (!gate) throw new Error("The case stands at no gate.");
  return { gateId: gate.id, revision: gate.revision, digest: gate.digest };
}

/** What happens from the verb behind the button to the recorded answer of the payer. */
async function release(store: Store, { reviewer }: Desk, taskId: string, seen: ShownGate): Promise<void> {
  await done(releaseGate({ actor: reviewer, store: storeForPerson(store, reviewer) }, { taskId, seen }));
  const log = pino({ enabled: false });
  await submit({ actor: { kind: "worker" }, store }, { log, deadlineMs: 20_000, guard: unguarded }, taskId);
}

function say(what: string, paths: readonly string[]): void {
  process.stdout.write(`\n${what}: ${paths.length} files, ${linesOf(paths)} lines\n${byFolder(paths)}\n`);
}
