import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { verifyAuditLog } from "#lib/audit/verify-audit-log";
import type { Store } from "#lib/db/db";
import { done, operator } from "#test/support/people/admin";
import { migrate } from "../../../scripts/database/migrate.ts";
import { choosePort } from "../../../scripts/processes/ports.mjs";
import { trouble } from "../../../scripts/processes/report.mjs";
import { ensureBuilt } from "../../../scripts/setup/build.mjs";
import { compare, settled } from "../compare.ts";
import { asSuperuser, openRigDatabase } from "../database.ts";
import { type LoadRequest, readTask, startLoad } from "../load.ts";
import { failuresOf, machine, table } from "../report.ts";
import { type Desk, makeDesks } from "../scene.ts";
import { makeSecrets, rigStore, serviceOf, startSimulator, until, untilReady } from "../service.ts";

type Stoppable = { readonly stop: () => Promise<void> };

const perSecond = 8;
/** Seconds of load in each part. */
const [aloneS, togetherS, backS] = [15, 30, 20];

/**
 * Runs the release before on a database that this one has migrated, under load: alone, beside this one, and alone again as
 * after a way back. The people and cases there are made by this one, and people release by it. `--from=` is the folder of that release, as
 * `npm run build` makes it of its commit. Leaves nothing behind.
 */
export async function rigUpgrade(args: readonly string[]): Promise<void> {
  const from = args.find((arg) => arg.startsWith("--from="))?.slice("--from=".length);
  if (from === undefined) throw trouble("rig:upgrade takes --from=<folder of the release before>: build it there.");
  const folder = mkdtempSync(join(tmpdir(), "rig-upgrade-"));
  const running: Stoppable[] = [];
  try {
    await ensureBuilt();
    const rows = await upgrade({ folder, from: resolve(from), running });
    process.stdout.write(`\n${machine()}\n\n${table(["what", "figure"], rows)}\n`);
  } finally {
    for (const each of running.toReversed()) await each.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Scene = { readonly folder: string; readonly from: string; readonly running: Stoppable[] };
type Rows = readonly (readonly [string, string])[];

async function upgrade({ folder, from, running }: Scene): Promise<Rows> {
  const { cluster, url } = await openRigDatabase(folder);
  running.push(cluster);
  const [ownerUrl, appUrl] = [url("rig_owner"), url("rig_app")];
  await migrateBy(from, { DATABASE_URL: ownerUrl, APP_DATABASE_URL: appUrl });
  await migrate({ ownerUrl, appUrl });
  // As in a database that had cases before: what the release before cannot open is written from a day later on.
  await asSuperuser(ownerUrl, ["UPDATE seal_format SET written_from = clock_timestamp() + interval '1 day'"]);
  const secrets = makeSecrets();
  const simulator = await startSimulator(folder);
  running.push(simulator.process);
  const store = rigStore(appUrl, secrets);
  running.push({ stop: () => store.close() });
  const desks = await makeDesks(store, { payerUrl: simulator.url, count: 4 });
  const start = async (name: string, program?: string) => {
    const service = serviceOf({ folder, secrets, appUrl, program });
    const port = await choosePort();
    const processes = [service.web(`web-${name}`, port), service.worker(`worker-${name}`)];
    running.push(...processes);
    const url = `http://127.0.0.1:${port}`;
    await untilReady(url);
    return { url, processes };
  };
  const old = await start("old", from);
  const run = { store, desks, payerUrl: simulator.url };
  const alone = await runLoad(run, [old.url], aloneS);
  const anew = await start("new");
  const both = await runBoth(run, { old: old.url, anew: anew.url, known: alone.load.sent });
  await Promise.all(anew.processes.map((each) => each.stop()));
  const back = await runLoad(run, [old.url], backS);
  const { chains, replay } = await done(verifyAuditLog({ actor: operator, store }, {}));
  const broken = chains.filter((chain) => chain.broken !== undefined).length;
  return [
    ["calls a second", String(perSecond)],
    ...rowsOf("the old release alone", alone),
    ...both,
    ...rowsOf("back, the old release alone", back),
    ["audit chains that verify", `${chains.length - broken} of ${chains.length}`],
    ["tasks that do not follow from their events", `${replay.faults.length} of ${replay.tasks}`],
  ];
}

type Run = { readonly store: Store; readonly desks: readonly Desk[]; readonly payerUrl: string };
type Pair = { readonly old: string; readonly anew: string; readonly known: readonly LoadRequest[] };

async function runBoth(run: Run, { old, anew, known }: Pair): Promise<Rows> {
  const both = await runLoad(run, [old, anew], togetherS);
  const all = [...known, ...both.load.sent];
  return [
    ...rowsOf("servers and workers of both", both),
    ["cases that the old server cannot read", `${await countUnread(old, all)} of ${all.length}`],
    ["cases that the new server cannot read", `${await countUnread(anew, all)} of ${all.length}`],
  ];
}

async function runLoad({ store, desks, payerUrl }: Run, urls: readonly string[], seconds: number) {
  const load = startLoad({ urls, desks, store, perSecond });
  await setTimeout(seconds * 1_000);
  await load.stop();
  await settled(store);
  return { load, found: await compare(store, payerUrl, load.sent) };
}

function rowsOf(what: string, { load, found }: Awaited<ReturnType<typeof runLoad>>): Rows {
  return [
    [`${what}: acknowledged, released, at the payer`, `${found.acknowledged}, ${found.released}, ${found.submitted}`],
    ["calls that failed and were repeated", failuresOf(load)],
    ["lost, sent twice, sent without a release", `${found.lost}, ${found.twice}, ${found.unreleased}`],
  ];
}

/** The other release's own migration. */
async function migrateBy(program: string, urls: Readonly<Record<string, string>>): Promise<void> {
  const child = spawn(process.execPath, ["scripts/database/migrate.ts"], {
    cwd: program,
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...urls },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`The migration of ${program} ended with ${code}.`);
}

async function countUnread(url: string, requests: readonly LoadRequest[]): Promise<number> {
  let unread = 0;
  for (const one of requests)
    await until("an answer", async () => {
      unread += (await readTask(url, one)) ? 0 : 1;
      return true;
    });
  return unread;
}
