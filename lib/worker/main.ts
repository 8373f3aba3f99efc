import { existsSync } from "node:fs";
import { sharedStore } from "#lib/db/db";
import { archiveClosedCases } from "#lib/db/archive-closed";
import { keepPartitions } from "#lib/db/keep-partitions";
import { proveServer } from "#lib/db/unfit";
import { showDatabase } from "#lib/db/show-database";
import { webhookRounds } from "#lib/channel/webhook/deliver-webhooks";
import { env, sandboxPayers, type Env } from "#lib/platform/env";
import { createLog } from "#lib/platform/log";
import { readFurthestHeads } from "#lib/audit/head-files";
import { openGuard } from "#lib/submission/ledger/guard";
import { readLedgerId } from "#lib/submission/ledger/ledger-files";
import { createMailer } from "#lib/person/mail/mailer";
import { mailRounds } from "#lib/person/mail/run-mail";
import { crashAt } from "#lib/platform/process/crash-point";
import { instruments } from "#lib/platform/metrics/instruments";
import { serveMetrics } from "#lib/platform/metrics/serve-metrics";
import { inHandMs, onShutdown } from "#lib/platform/process/on-shutdown";
import { logWhatIsPrinted } from "#lib/platform/printed-lines";
import { startTracing } from "#lib/platform/tracing/start-tracing";
import { openWatchdog } from "#lib/platform/process/watchdog";
import { openSigningKey, publishedKeys } from "#lib/platform/signing-keys";
import { sweepSignIns } from "#lib/person/sweep-sign-ins";
import { autoReviewRounds } from "./review-automatically.ts";
import { startWorker } from "./run.ts";
import { auditRounds } from "#lib/audit/audit-rounds";
import { indexNewCases } from "#lib/queue/index-cases";
import { rollUpReports } from "#lib/report/roll-up-reports";

const everyMs = 500;
const subscribeEveryMs = 10_000;
const mailEveryMs = 3_000;
const webhooksEveryMs = 500;
const autoReviewEveryMs = 500;
const sweepEveryMs = 3_600_000;
/** Also as soon as a worker starts, so that a service which stood still for months has what it needs. */
const partitionsEveryMs = 600_000;
const reportsEveryMs = 15_000;
/** Somebody may look for a patient as soon as the request is in. */
const searchEveryMs = 1_000;
/** The pause between rounds of archiving, so that it takes only a part of the database's time. */
const archiveEveryMs = 5_000;
/** Only the newest signed heads can name an entry that the ledger lacks: one week of them, at five minutes each. */
const headFilesMax = 2_000;

/** A round waits only for a few statements, each of which times out within seconds. */
const stillS = 60;

const { CRASH_POINT: point, CRASH_SIGNAL: signal } = env();
const log = createLog("worker");
logWhatIsPrinted(log);
const endTracing = await startTracing("worker");
const store = sharedStore();
await store.keys.prove();
await proveServer(store);
const { SUBMISSION_LEDGER_DIR: folder, SUBMISSIONS: submissions, METRICS_PORT: metricsPort } = env();
if (folder === undefined) throw new Error("The environment is incomplete: SUBMISSION_LEDGER_DIR is not set");
const guard = await openGuard({ store, log, folder, heads: await knownHeads(env(), await readLedgerId(folder)) });
// Before anything is signed, because a signed head of a restored database would hide that it was restored.
await guard.check();
if (submissions === "off") log.warn("no submissions, inquiries or mail: SUBMISSIONS is off");
const push = { publicUrl: env().PUBLIC_URL, everyMs: subscribeEveryMs };
const mail = mailOf(env());
const heads = headsOf(env());
const record = {
  round: auditRounds({
    store,
    log,
    logsEntries: env().LOG_COLLECTOR !== undefined,
    isStopped: guard.isStopped,
    heads,
  }),
  everyMs: env().AUDIT_HEADS_EVERY_S * 1_000,
};
const sweep = { round: () => sweepSignIns(store), everyMs: sweepEveryMs };
const partitions = { round: () => keepPartitions(store), everyMs: partitionsEveryMs };
const reports = { round: (signal: AbortSignal) => rollUpReports(store, signal), everyMs: reportsEveryMs };
const archiving = archivingOf(env());
const search = { round: (signal: AbortSignal) => indexNewCases(store, signal), everyMs: searchEveryMs };
const autoReview = { round: autoReviewRounds({ store, log }), everyMs: autoReviewEveryMs };
const { beat } = openWatchdog({ stillS });
const worker = startWorker({
  onRound: () => {
    beat();
    instruments().rounds.inc();
  },
  store,
  log,
  everyMs,
  guard,
  sends: submissions !== "off",
  replication: env().REPLICATION,
  onPoint: point && crashAt({ point, signal }),
  concurrency: env().WORKER_CONCURRENCY,
  deadlineMs: env().SEND_DEADLINE_MS,
  push,
  mail,
  webhooks: { ...webhookRounds({ store, log }), everyMs: webhooksEveryMs },
  upkeep: [
    record,
    sweep,
    partitions,
    reports,
    search,
    ...archiving,
    ...(sandboxPayers().length > 0 ? [autoReview] : []),
  ],
  reports: { isMeasuring: metricsPort !== undefined, signsHeads: heads !== undefined },
});
const metrics = metricsPort === undefined ? undefined : await serveMetrics(metricsOf(metricsPort));
onShutdown(endTracing);
onShutdown(() => store.close());
onShutdown(() => guard.close());
onShutdown(stopWorker, { waitMs: inHandMs(env().SEND_DEADLINE_MS) });
if (metrics) onShutdown(metrics.stop);
log.info("ready");
process.send?.("ready");

/** Its rounds have ended by then, so the watchdog is told otherwise that the process goes on. */
async function stopWorker() {
  const beating = setInterval(beat, 1_000);
  await worker.stop().finally(() => clearInterval(beating));
}

function mailOf({ SMTP_URL: url, MAIL_FROM: from, PUBLIC_URL: publicUrl }: Env) {
  if (url === undefined || from === undefined) return undefined;
  return {
    round: mailRounds({ store, log, mailer: createMailer({ url, from, publicUrl }), publicUrl }),
    everyMs: mailEveryMs,
  };
}

/** Rounds of archiving closed cases; none where no archive is set, or not after how many days they go there. */
function archivingOf({ ARCHIVE_AFTER_DAYS: afterDays, ARCHIVE_BYTES_MIN: bytesMin }: Env) {
  if (store.archive === undefined || afterDays === undefined) return [];
  const round = (signal: AbortSignal) => archiveClosedCases(store, { log, afterDays, bytesMin, signal });
  return [{ round, everyMs: archiveEveryMs }];
}

function metricsOf(port: number) {
  const onRead = async () => {
    await showDatabase(store);
    const { payerInHand, payerRoom } = instruments();
    for (const { payerHost, inHand, room } of worker.hosts()) {
      payerInHand.set({ payer_host: payerHost }, inHand);
      payerRoom.set({ payer_host: payerHost }, room);
    }
  };
  return { host: env().METRICS_HOST, port, onRead };
}

function headsOf({ AUDIT_HEADS_DIR: folder, AUDIT_SIGNING_KEY: key }: Env) {
  if (folder === undefined || key === undefined) return undefined;
  return { folder, signer: openSigningKey(Buffer.from(key, "base64")) };
}

/** The signed heads that this process can read; none when no folder is set or it does not exist yet. */
async function knownHeads(
  { AUDIT_HEADS_DIR: headsFolder, AUDIT_SIGNING_KEY: key, AUDIT_PAST_KEYS: past }: Env,
  ledgerId: string | undefined,
) {
  if (headsFolder === undefined || !existsSync(headsFolder)) return [];
  const { heads, bad } = await readFurthestHeads(
    headsFolder,
    publishedKeys(key, past),
    ledgerId === undefined ? undefined : headFilesMax,
  );
  if (bad > 0) log.warn({ bad }, "unreadable signed heads are ignored");
  return heads;
}
