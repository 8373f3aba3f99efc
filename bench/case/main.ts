import { join } from "node:path";
import type { Store } from "#lib/db/db";
import { readSecrets } from "../../scripts/start/environment.mjs";
import { root } from "../../scripts/setup/files.mjs";
import { startLoad } from "../../test/rig/load.ts";
import { machine, table } from "../../test/rig/report.ts";
import { makeDesks } from "../../test/rig/scene.ts";
import { rigStore, startSimulator, until, type Secrets } from "../../test/rig/service.ts";
import { withOneServer, type OneServer } from "../one-server.ts";
import { sayArchived } from "./archived.ts";
import { countersOf, costsOf, indexesOf, sealedOf, walOf } from "./counters.ts";

const perSecond = 10;
const warmCases = 40;
const minuteMs = 60_000;

/**
 * What one case costs the database, from the agent's call to the payer's determination, over the real endpoint, worker and
 * payer: rows written, updates that touched no index (HOT), bytes kept and bytes of write-ahead log. Every second case is
 * decided after two inquiries, the others at once. `--cases=` says how many; 400 if it does not. Last, what closed cases
 * take before and after they are archived.
 */
export async function benchCase(args: readonly string[]): Promise<void> {
  const cases = Number(args.find((arg) => arg.startsWith("--cases="))?.slice("--cases=".length) ?? 400);
  await withOneServer((server) => measure(server, cases), { hasWorker: true });
}

async function measure({ databases, processes, port }: OneServer, cases: number): Promise<void> {
  const folder = join(root, "bench", "out");
  // Safe because the file has all of them.
  const secrets = readSecrets(join(folder, "data")) as Secrets;
  const store = rigStore(databases.appUrl, secrets);
  const payer = await startSimulator(folder);
  try {
    const desks = await makeDesks(store, { payerUrl: payer.url, count: 4 });
    const run = async (count: number, ending: (n: number) => string) => {
      const load = startLoad({ urls: [`http://127.0.0.1:${port}`], desks, store, perSecond, ending });
      await until("the cases", async () => load.sent.length >= count, 60 * minuteMs);
      await load.stop(10 * minuteMs);
      await decideAll(store, payer.url);
      return load.sent.length;
    };
    const warmed = await run(warmCases, () => "");
    const before = await countersOf(databases.superuserUrl);
    const done = await run(cases, pendsEverySecond);
    // What a connection has counted is there for others once it has ended.
    await processes.stop();
    const after = await countersOf(databases.superuserUrl);
    const costs = costsOf(before, after, done);
    process.stdout.write(`\n${machine()}, ${done} cases\n\n${table(costs.head, costs.rows)}\n`);
    const wal = await walOf(databases.superuserUrl, before, after, done);
    process.stdout.write(`\n${table(wal.head, wal.rows)}\n`);
    const indexes = indexesOf(before, after, done);
    process.stdout.write(`\n${table(indexes.head, indexes.rows)}\n`);
    const sealed = await sealedOf(databases.superuserUrl, done);
    process.stdout.write(`\n${table(sealed.head, sealed.rows)}\n`);
    await sayArchived(store, { url: databases.superuserUrl, cases: done + warmed });
  } finally {
    await store.close();
    await payer.process.stop();
  }
}

const pendsEverySecond = (n: number) => (n % 2 === 0 ? "-PEND-A1" : "");

/** Moves the payer's clock once every pended case was asked about twice, so that each has an inquiry without an answer. */
async function decideAll(store: Store, payerUrl: string): Promise<void> {
  await until(
    "the second inquiries",
    () =>
      isNone(store, "state = 'transmitted' AND (SELECT inquiries FROM next_inquiry i WHERE i.task_id = task.id) < 3"),
    3 * minuteMs,
  );
  const answered = await fetch(`${payerUrl}/control/clock`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ forwardMs: 2 * minuteMs }),
  });
  if (!answered.ok) throw new Error(`The payer's clock was not moved: ${answered.status}`);
  await until("the determinations", () => isNone(store, "state <> 'determined'"), 6 * minuteMs);
}

async function isNone(store: Store, where: string): Promise<boolean> {
  const { rows } = await store.pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM task WHERE ${where}`);
  return rows[0]?.count === 0;
}
