import { once } from "node:events";
import { finished } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, type CopyStreamQuery } from "pg-copy-streams";
import { textOfReceipt } from "#lib/gate/receipt/packed-receipt";
import { receiptHash } from "#lib/gate/receipt/receipt";
import { openSigningKey } from "#lib/platform/signing-keys";
import { openWholeStore } from "#test/support/database/whole-store";
import { copyCase, type Chain, type Copy, type Writing } from "./copy-case.ts";
import { payers, practices, type Desk, type SeedSize } from "./desk.ts";
import { mouldOf, type Mould } from "./mould.ts";
import { copiedTables, derivedTables, readSpecimen } from "./read-specimen.ts";
import { specimenPractice, type Specimen } from "./specimens.ts";

/** What one of the processes that copy is given: every `of`th case beginning with the `share`th. */
export type Job = {
  readonly appUrl: string;
  readonly superuserUrl: string;
  readonly sealingKey: string;
  readonly receiptSigningKey: string;
  readonly desk: Desk;
  readonly size: SeedSize;
  readonly specimens: readonly Specimen[];
  readonly share: number;
  readonly of: number;
};

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Cases closed longer ago than any window of the health page reach are copied without these. */
const wholeDays = 100;
const kept = new Set(["task", "revision", "gate", "transmission", "determination"]);

const bufferMax = 1 << 18;

process.once("message", (job) => {
  // Safe because only `seed` starts this program.
  copyShare(job as Job).then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    },
  );
});
process.send?.("ready");

async function copyShare(job: Job): Promise<void> {
  const client = await connect(job.superuserUrl);
  const sealingKey = Buffer.from(job.sealingKey, "base64");
  const store = openWholeStore({ url: job.appUrl, sealingKey, connectionsMax: 1 });
  await store.keys.ready(practices);
  const signer = openSigningKey(Buffer.from(job.receiptSigningKey, "base64"));
  const of = { specimenPractice, assigneeId: job.desk.colleagues[0] ?? "" };
  const moulds: Mould[] = [];
  for (const specimen of job.specimens) {
    moulds.push(mouldOf(specimen, await readSpecimen(client, store.sealer, specimen.taskId), of));
  }
  const places = { routes: await routesOf(client), chains: await chainsOf(client) };
  await client.end();
  const tables = await openTables(job.superuserUrl);
  const writing: Writing = { store, signer, chains: places.chains, write: tables.write };
  const choose = chooser(moulds);
  const now = Date.now();
  for (let n = job.share; n < job.size.open + job.size.closed; n += job.of) {
    const isOpen = n >= job.size.closed;
    const mould = choose(n, isOpen);
    const copy = copyOf(n, { mould, job, routes: places.routes, now });
    copyCase(writing, mould, copy, isOpen || copy.toMs > now - wholeDays * dayMs ? undefined : kept);
    const full = tables.drained();
    if (full) await full;
  }
  await tables.close();
  await store.close();
}

/** As a superuser, so that no trigger and no foreign key is asked row by row; the copies come from rows that passed them. */
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET session_replication_role = replica; SET synchronous_commit = off; SET timezone = 'UTC'");
  return client;
}

async function openTables(url: string) {
  type Open = {
    readonly client: pg.Client;
    readonly stream: CopyStreamQuery;
    readonly ended: Promise<void>;
    lines: string[];
    size: number;
  };
  const open = new Map<string, Open>();
  for (const name of [...copiedTables, ...derivedTables]) {
    const client = await connect(url);
    const stream = client.query(copyFrom(`COPY ${name} FROM STDIN`));
    open.set(name, { client, stream, ended: finished(stream), lines: [], size: 0 });
  }
  const flush = (one: Open): boolean => {
    const { lines } = one;
    Object.assign(one, { lines: [], size: 0 });
    return lines.length === 0 || one.stream.write(`${lines.join("\n")}\n`);
  };
  return {
    write: (table: string, line: string) => {
      const one = open.get(table);
      if (!one) throw new Error(`No copies are made of ${table}.`);
      one.lines.push(line);
      one.size += line.length;
    },
    /** Sends what has gathered; the promise of room where the database has enough to do. */
    drained: (): Promise<unknown> | undefined => {
      const full = [...open.values()].filter((one) => one.size > bufferMax && !flush(one));
      if (full.length === 0) return undefined;
      return Promise.all(full.map(({ stream, ended }) => Promise.race([once(stream, "drain"), ended])));
    },
    close: async () => {
      for (const one of open.values()) {
        flush(one);
        one.stream.end();
        await one.ended;
        await one.client.end();
      }
    },
  };
}

async function routesOf(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ id: string; connection: string }>(
    "SELECT id, practice_id || ' ' || payer_id AS connection FROM route",
  );
  return new Map(rows.map(({ id, connection }) => [connection, id]));
}

async function chainsOf(client: pg.Client): Promise<Map<string, Chain>> {
  const { rows } = await client.query<{
    id: string;
    seq: string;
    hash: string;
    receipt_seq: number;
    document: string | null;
    packed: Uint8Array | null;
  }>(
    `SELECT p.id, a.seq, a.hash, coalesce(r.seq, 0) AS receipt_seq, r.document, r.packed
       FROM practice p
       JOIN LATERAL (SELECT seq, hash FROM audit_entry WHERE chain = p.id ORDER BY seq DESC LIMIT 1) a ON true
       LEFT JOIN LATERAL (SELECT seq, document, packed FROM decision_receipt WHERE practice_id = p.id ORDER BY seq DESC LIMIT 1) r ON true`,
  );
  return new Map(
    rows.map(({ id, seq, hash, receipt_seq: receiptSeq, ...last }) => [
      id,
      { seq: Number(seq), hash, receiptSeq, receiptHash: receiptSeq === 0 ? null : receiptHash(textOfReceipt(last)) },
    ]),
  );
}

/** Spread over the shares without chance, so that two seeds are alike. */
function chooser(moulds: readonly Mould[]): (n: number, isOpen: boolean) => Mould {
  const tables = new Map<string, Mould[]>();
  const key = (isOpen: boolean, urgent: boolean, assigned: boolean) => `${isOpen} ${urgent} ${assigned}`;
  for (const mould of moulds) {
    const { isOpen, urgent, assigned, share } = mould.specimen;
    const of = tables.get(key(isOpen, urgent, assigned)) ?? [];
    for (let n = 0; n < share; n += 1) of.push(mould);
    tables.set(key(isOpen, urgent, assigned), of);
  }
  return (n, isOpen) => {
    const of = tables.get(key(isOpen, n % 33 === 0, isOpen && n % 10 < 3)) ?? [];
    const mould = of[(Math.floor(n / 2) * 617) % 1000];
    if (!mould) throw new Error("The shares do not make a thousand.");
    return mould;
  };
}

type Copying = {
  readonly mould: Mould;
  readonly job: Job;
  readonly routes: ReadonlyMap<string, string>;
  readonly now: number;
};

/** Whose the nth case is and when it was: half of them in the first practice, the open ones mostly young. */
function copyOf(n: number, { mould, job: { desk, size }, routes, now }: Copying): Copy {
  const { isOpen, kind } = mould.specimen;
  const practiceId = (n % 2 === 0 ? practices[0] : practices[1 + (Math.floor(n / 2) % (practices.length - 1))]) ?? "";
  const manual = mould.tables[0]?.rows[0] !== undefined && kind.endsWith("by hand");
  const payer = manual ? payers[4] : payers[n % 4];
  if (!payer) throw new Error("There are five payers.");
  const part = ((n * 7919) % 10_007) / 10_007;
  const fromMs = isOpen
    ? now - hourMs - (kind.startsWith("transmit-held") ? part ** 2 * 13.6 : part * 12) * dayMs
    : now - 10 * dayMs - (1 - n / size.closed) * 710 * dayMs;
  const lastsMs = isOpen ? Math.min(now - fromMs, 6 * hourMs * part + 60_000) : (1 + (n % 8)) * dayMs;
  // What can still be recalled was released just now.
  const toMs = kind === "transmit-released" ? now : fromMs + lastsMs;
  const assignees = [desk.all.id, desk.colleagues[n % desk.colleagues.length], n % 2 === 0 ? desk.one.id : desk.all.id];
  const memberId = n % 20_000 < 2 ? "BMFREQUENT" : `BM${String(n % 400_000).padStart(7, "0")}`;
  const values = {
    member: memberId,
    family: `Bench${n % 5000}`,
    given: `Given${n % 997}`,
    code: n % 25_013 === 0 ? "E0999" : `E0${String(n % 900).padStart(3, "0")}`,
    reference: `REF-${n}`,
    practiceId,
    payerId: payer.id,
    routeId: routes.get(`${practiceId} ${payer.id}`) ?? "",
    assigneeId: assignees[n % 10] ?? desk.all.id,
  };
  return { ...{ practiceId, memberId, fromMs, toMs }, lineOfBusiness: payer.lineOfBusiness, values };
}
