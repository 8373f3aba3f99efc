import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { createGzip } from "node:zlib";
import { Readable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { stateOf } from "#lib/task/model/task";
import { inTransaction, type Store } from "#lib/db/db";
import { openWholeStore } from "#test/support/database/whole-store";
import { loadTask } from "#lib/task/store/load-task";
import { rowToTask } from "#lib/task/store/task-rows";
import { releaseGate } from "#lib/gate/release-gate";
import { sendMessage } from "#lib/task/send-message";
import {
  aChannel,
  anIntake,
  aPerson,
  aPractice,
  aRoute,
  fullReview,
  keyPepper,
  receiptKey,
  sealingKey,
  seenOn,
} from "#test/support/cases/cases";
import { freshDatabase } from "#test/support/database/fresh-database";
import { aLedger } from "#test/support/database/ledgers";
import { aReplyTo } from "#test/support/payer/pas/reply";
import { listening } from "#test/support/servers/served";

const megabyte = 1024 * 1024;
const floodBytes = 300 * megabyte;
const sendMs = 15_000;

/** 300 MB of nothing, as fast as it is taken. */
function* flood(): Generator<Buffer> {
  const chunk = Buffer.alloc(megabyte, " ");
  for (let sent = 0; sent < floodBytes; sent += chunk.length) yield chunk;
}

const json = { "Content-Type": "application/fhir+json" };

/** What a payer may do with a reply, by the first part of its address. */
const payers: Readonly<Record<string, (response: ServerResponse, body: Buffer) => void>> = {
  flood: (response) => void Readable.from(flood()).pipe(response.writeHead(200, json)),
  bomb: (response) =>
    void Readable.from(flood())
      .pipe(createGzip({ level: 9 }))
      .pipe(response.writeHead(200, { ...json, "Content-Encoding": "gzip" })),
  drip: (response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(" "), 1000);
    response.on("close", () => clearInterval(timer));
  },
  silent: () => undefined,
  good: (response, body) => {
    const call = { method: "POST", url: "", contentType: "application/fhir+json", body };
    response.writeHead(200, json).end(JSON.stringify(aReplyTo(call)));
  },
};

async function hostilePayers(): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on("error", () => undefined);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => payers[request.url?.split("/")[1] ?? ""]?.(response, Buffer.concat(chunks)));
  });
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  return listening(server);
}

/** Cases released to one payer of these. */
async function released(store: Store, url: string, count: number): Promise<readonly string[]> {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId, url });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) {
    // Two of the same member would be one request sent twice, which no reviewer may release.
    const subscriber = { ...fullReview.subscriber, memberId: `HM1-PEND-${made}` };
    const sent = await sendMessage(channel, anIntake({ practiceId, review: { ...fullReview, subscriber } }));
    if (!sent.ok) throw new Error("The intake was refused.");
    const decided = await releaseGate(reviewer, { taskId: sent.value.id, seen: seenOn(sent.value) });
    if (!decided.ok) throw new Error("The release was refused.");
    ids.push(sent.value.id);
  }
  return ids;
}

async function stateNow(store: Store, taskId: string): Promise<string> {
  const row = await inTransaction(store, (tx) => loadTask(tx, { taskId, practices: "every" }));
  return row ? stateOf(rowToTask(store, row)) : "gone";
}

/** The most memory a process ever held, in bytes. */
function peakOf(pid: number | undefined): number {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}

test("a worker fed 300 MB, a gzip bomb, one byte a second and silence keeps its memory, and delays no other payer", async () => {
  const database = await freshDatabase();
  const store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 8 });
  onTestFinished(() => store.close());
  const ledger = await aLedger(store);
  const base = await hostilePayers();
  const hostile: string[] = [];
  for (const name of ["flood", "bomb", "drip", "silent"])
    hostile.push(...(await released(store, `${base}/${name}/fhir`, 3)));
  const good = await released(store, `${base}/good/fhir`, 1);

  const env = {
    ...process.env,
    SEALING_KEY: sealingKey.toString("base64"),
    APP_DATABASE_URL: database.appUrl,
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    SEND_DEADLINE_MS: String(sendMs),
    SUBMISSION_LEDGER_DIR: ledger,
  } as const;
  const worker = spawn(process.execPath, ["lib/worker/main.ts"], { env, stdio: ["ignore", "ignore", "ignore", "ipc"] });
  onTestFinished(() => void worker.kill("SIGKILL"));
  await once(worker, "message");
  const before = peakOf(worker.pid);

  const statesOf = (ids: readonly string[]) => Promise.all(ids.map((id) => stateNow(store, id)));
  await expect.poll(() => statesOf(good), { timeout: 60_000, interval: 50 }).toEqual(["determined"]);
  // The silent payer has held its connections all the while.
  expect(await statesOf(hostile.slice(-3))).not.toContain("transmit-unconfirmed");
  await expect
    .poll(() => statesOf(hostile), { timeout: 60_000, interval: 200 })
    .toEqual(hostile.map(() => "transmit-unconfirmed"));
  const grown = (peakOf(worker.pid) - before) / megabyte;

  // Six of the replies are 300 MB each; what is read of one is 5 MB.
  expect(grown).toBeLessThan(250);
  worker.kill("SIGTERM");
  await once(worker, "exit");
}, 120_000);
