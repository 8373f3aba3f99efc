import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { exportReceipts } from "#lib/audit/export-receipts";
import { verifyAuditLog } from "#lib/audit/verify-audit-log";
import type { Store } from "#lib/db/db";
import { type ReceiptFile, verifyReceipts } from "#lib/gate/receipt/verify";
import { publishedKeys } from "#lib/platform/signing-keys";
import { done, operator } from "#test/support/people/admin";
import { migrate } from "../../../scripts/database/migrate.ts";
import { choosePort } from "../../../scripts/processes/ports.mjs";
import { say, trouble } from "../../../scripts/processes/report.mjs";
import { ensureBuilt } from "../../../scripts/setup/build.mjs";
import { arrivals, compare, settled } from "../compare.ts";
import { callOnce, readTask, startLoad, type LoadRequest } from "../load.ts";
import { failuresOf, machine, table } from "../report.ts";
import { type Desk, makeDesks } from "../scene.ts";
import {
  makeSecrets,
  type RigProcess,
  rigStore,
  type Secrets,
  serviceOf,
  startSimulator,
  untilReady,
} from "../service.ts";
import { ArchivedCluster } from "./archived-cluster.ts";

/** Calls a second, and how many seconds each part lasts. */
const defaults = { rate: 8, before: 15, after: 15, beyond: 20, watched: 15, again: 10 };
type Plan = typeof defaults;

type Drill = Plan & {
  readonly database: ArchivedCluster;
  readonly secrets: Secrets;
  readonly payerUrl: string;
  readonly desks: readonly Desk[];
  readonly running: RigProcess[];
};

/**
 * Backs a database up under load, kills it, restores it to a moment before, and shows what the service does then: what
 * the senders, the payer and the restored database know, side by side. Leaves nothing behind.
 */
export async function drillRestore(args: readonly string[]): Promise<void> {
  const plan = planOf(args);
  await ensureBuilt();
  const secrets = makeSecrets();
  const running: RigProcess[] = [];
  const database = await ArchivedCluster.open();
  try {
    await migrate({ ownerUrl: database.url("owner"), appUrl: database.url("app") });
    const simulator = await startSimulator(database.folder);
    running.push(simulator.process);
    const store = rigStore(database.url("app"), secrets);
    const desks = await makeDesks(store, { payerUrl: simulator.url, count: 3 });
    await store.close();
    const drill = { ...plan, database, secrets, payerUrl: simulator.url, desks, running };
    const disaster = await untilDisaster(drill);
    const rows = await afterRestore(drill, disaster);
    process.stdout.write(`\n${machine()}\n\n${table(["what", "figure"], [...disaster.rows, ...rows])}\n`);
  } finally {
    for (const each of running.toReversed()) await each.stop();
    await database.close();
  }
}

function planOf(args: readonly string[]): Plan {
  const plan = { ...defaults };
  for (const arg of args) {
    const [, name = "", value] = /^--(\w+)=(\d+)$/.exec(arg) ?? [];
    if (!(name in plan))
      throw trouble(
        `drill:restore takes ${Object.keys(plan)
          .map((key) => `--${key}=<number>`)
          .join(", ")}.`,
      );
    Object.assign(plan, { [name]: Number(value) });
  }
  return plan;
}

type Disaster = {
  readonly sent: readonly LoadRequest[];
  /** To which the database is restored. */
  readonly moment: Date;
  readonly at: number;
  readonly rows: readonly (readonly [string, string])[];
};

async function startService(drill: Drill, worker: string) {
  const { database, secrets, running } = drill;
  const service = serviceOf({ folder: database.folder, secrets, appUrl: database.url("app") });
  const port = await choosePort();
  const processes = [service.web("web", port), service.worker(worker)];
  running.push(...processes);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  return { service, url, kill: () => Promise.all(processes.map((each) => (each.kill(), each.exited))) };
}

/** Load, a backup in its middle, a moment to go back to, and more load, until everything is killed. */
async function untilDisaster(drill: Drill): Promise<Disaster> {
  const { database, secrets, desks, rate, payerUrl } = drill;
  const { url, kill } = await startService(drill, "worker");
  const store = rigStore(database.url("app"), secrets);
  const load = startLoad({ urls: [url], desks, store, perSecond: rate });
  await setTimeout(drill.before * 1_000);
  const began = performance.now();
  await database.takeBackup();
  const backupS = (performance.now() - began) / 1_000;
  say("backup", "taken under load", backupS * 1_000);
  await setTimeout(drill.after * 1_000);
  const [clock] = await database.ask("SELECT clock_timestamp() AS now");
  const moment = clock?.["now"] as Date;
  const submittedBefore = (await arrivals(payerUrl)).size;
  await setTimeout(drill.beyond * 1_000);
  await database.untilArchived();
  database.kill();
  await kill();
  const at = Date.now();
  await load.stop(0);
  await store.close();
  const acknowledged = load.sent.filter(({ taskId }) => taskId !== undefined);
  const beyond = acknowledged.filter(({ acceptedAt = 0 }) => acceptedAt > moment.getTime());
  const submitted = (await arrivals(payerUrl)).size;
  say("disaster", `database, server and worker killed, ${acknowledged.length} requests acknowledged`);
  return {
    ...{ sent: load.sent, moment, at },
    rows: [
      ["calls a second, and seconds of load", `${rate}, ${drill.before + drill.after + drill.beyond}`],
      ["calls and releases that failed and were repeated, until the end", failuresOf(load)],
      ["base backup under load", `${backupS.toFixed(1)} s`],
      ["acknowledged: before the moment, after it", `${acknowledged.length - beyond.length}, ${beyond.length}`],
      ["at the payer: before the moment, after it", `${submittedBefore}, ${submitted - submittedBefore}`],
    ],
  };
}

async function afterRestore(drill: Drill, { sent, moment, at }: Disaster) {
  const { database, secrets, payerUrl, desks } = drill;
  await database.restore(moment.toISOString());
  const openS = (Date.now() - at) / 1_000;
  const atDisaster = await arrivals(payerUrl);
  const { url, service } = await startService(drill, "worker");
  const servingS = (Date.now() - at) / 1_000;
  const refused = await callOnce(url, desks[0]);
  await setTimeout(drill.watched * 1_000);
  const sentBeforeRecover = total(await arrivals(payerUrl)) - total(atDisaster);
  const known = sent.filter(({ acceptedAt = Infinity }) => acceptedAt <= moment.getTime());
  const readable = await count(known, (one) => readTask(url, one));
  const looked = await service.pa(["recover", "--json"], "worker");
  const recovered = await service.pa(["recover", "--yes", "--json"], "worker");
  if (recovered.code !== 0) throw new Error(`pa recover ended with ${recovered.code}: ${recovered.text}`);
  const report = JSON.parse(recovered.text) as Recovery;
  say("recover", `done ${((Date.now() - at) / 1_000).toFixed(0)} s after the disaster`);
  const store = rigStore(database.url("app"), secrets);
  try {
    await settled(store);
    const again = startLoad({ urls: [url], desks, store, perSecond: drill.rate });
    await setTimeout(drill.again * 1_000);
    await again.stop();
    await settled(store);
    const all = await compare(store, payerUrl, [...sent, ...again.sent]);
    const before = await compare(store, payerUrl, known);
    const after = await compare(store, payerUrl, again.sent);
    const inquired = report.found.filter(({ as }) => as === "inquired").length;
    return [
      [
        "killed until the database was open, and until calls were served",
        `${openS.toFixed(1)} s, ${servingS.toFixed(1)} s`,
      ],
      ["a request before `pa recover`", refused],
      [`sent in ${drill.watched} s and more before \`pa recover\``, String(sentBeforeRecover)],
      ["`pa recover` said that something is lacking", looked.code === 1 ? "yes" : "no"],
      [
        "submissions the database did not know: asked about, case gone",
        `${inquired}, ${report.found.length - inquired}`,
      ],
      ["releases held again for a person", String(report.held)],
      ["acknowledged before the moment, and lost", `${before.lost} of ${before.acknowledged}`],
      ["of those, read with everything sealed in them", `${readable} of ${known.length}`],
      ["sent twice, in all", `${all.twice} of ${all.submitted}`],
      ["sent without a release", String(all.unreleased)],
      [
        "afterwards: accepted, released, at the payer",
        `${after.acknowledged}, ${after.released}, ${after.released - after.forgotten}`,
      ],
      ...(await recordRows(store, drill)),
    ] as const;
  } finally {
    await store.close();
  }
}

type Recovery = {
  readonly found: readonly { readonly as: string }[];
  readonly held: number;
};

/** Chains, receipts and keys of the restored database. */
async function recordRows(store: Store, { secrets, desks, database }: Drill) {
  const ctx = { actor: operator, store } as const;
  const { chains, guards, replay } = await done(verifyAuditLog(ctx, {}));
  const keys = publishedKeys(secrets.receiptSigningKey, []);
  const files: ReceiptFile[] = [];
  for (const { practiceId } of desks)
    for (let after = 0; ;) {
      const page = await done(exportReceipts(ctx, { practiceId, after }));
      if (page.length === 0) break;
      files.push(
        ...page.map(({ sequence, text }) => ({
          name: `${practiceId}-${sequence}`,
          bytes: Buffer.from(text ?? "not opened"),
        })),
      );
      after = page.at(-1)?.sequence ?? after;
    }
  const verdict = verifyReceipts(files, { keys, chain: { from: 1 } });
  await store.keys.prove();
  rmSync(join(database.folder, "backup"), { recursive: true, force: true });
  const broken = chains.filter((chain) => chain.broken !== undefined).length;
  return [
    ["audit chains that verify, guards missing", `${chains.length - broken} of ${chains.length}, ${guards.length}`],
    ["tasks that do not follow from their events", `${replay.faults.length} of ${replay.tasks}`],
    ["receipts that verify, findings", `${verdict.good.length} of ${files.length}, ${verdict.findings.length}`],
    ["key ring", "opens what was sealed"],
  ] as const;
}

const total = (times: ReadonlyMap<string, number>) => [...times.values()].reduce((sum, some) => sum + some, 0);

async function count<Each>(list: readonly Each[], fits: (each: Each) => Promise<boolean>): Promise<number> {
  let found = 0;
  for (const each of list) found += (await fits(each)) ? 1 : 0;
  return found;
}
