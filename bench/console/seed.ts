import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import pg from "pg";
import { grantsOf, powersOf } from "#lib/access/model/grant";
import { openWholeStore } from "#test/support/database/whole-store";
import { root } from "../../scripts/setup/files.mjs";
import type { Job } from "./copier.ts";
import { addRoute, makeDesk, practices, type Desk, type SeedSize } from "./desk.ts";
import { proveCopies } from "./prove.ts";
import { copiedTables, derivedTables } from "./read-specimen.ts";
import { makeSpecimens, marks, specimenPractice } from "./specimens.ts";

type Seeding = {
  readonly appUrl: string;
  readonly superuserUrl: string;
  readonly sealingKey: string;
  readonly receiptSigningKey: string;
  readonly channelKeyPepper: string;
  readonly size: SeedSize;
  /** Told what has been done. */
  readonly done: (what: string) => void;
};

const filledTables = [...copiedTables, ...derivedTables];

/** Processes that copy, each its share of the cases: the practices of one are not those of the other. */
const copiers = 2;

/**
 * Fills an empty database. A case of each kind is made by the service's own verbs; all others are copies of these, with
 * ids, patients, codes, practices and times of their own, sealed for their own rows, with digests, receipts and links of
 * the record that follow from them. Indexes are made afterwards, all at once, as they were.
 */
export async function seed({ appUrl, superuserUrl, size, done, ...secrets }: Seeding): Promise<Desk> {
  const { sealingKey, receiptSigningKey } = secrets;
  const keyOf = (secret: string) => Buffer.from(secret, "base64");
  const keys = { sealingKey: keyOf(sealingKey), keyPepper: keyOf(secrets.channelKeyPepper) };
  const store = openWholeStore({ ...keys, url: appUrl, receiptKey: keyOf(receiptSigningKey), connectionsMax: 8 });
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const desk = await makeDesk(store);
    await store.keys.ready(practices);
    const ways = { practiceId: specimenPractice, lineOfBusiness: "medicare-advantage" } as const;
    await addRoute(store, { ...ways, payerId: marks.wire, connector: "service-review" });
    await addRoute(store, { ...ways, payerId: marks.hand, connector: "manual" });
    const { id, name } = desk.all;
    const powers = powersOf(grantsOf(["reviewer"], [specimenPractice]));
    const reviewer = { kind: "person", id, name, ...powers } as const;
    const [assigneeId = ""] = desk.colleagues;
    const specimens = await makeSpecimens({ store, channelId: desk.channelId, reviewer, assigneeId });
    done(`${specimens.length} specimens`);
    const indexes = await dropIndexes(client);
    const job: Omit<Job, "share"> = {
      appUrl,
      superuserUrl,
      sealingKey,
      receiptSigningKey,
      desk,
      size,
      specimens,
      of: copiers,
    };
    await Promise.all(Array.from({ length: copiers }, (_, share) => copyShare({ ...job, share })));
    done(`${size.open + size.closed} copies`);
    await makeIndexes(superuserUrl, indexes);
    await proveIndexes(client, indexes);
    done(`${indexes.length} indexes`);
    await analyse(superuserUrl, [...filledTables, "practice", "route", "person"]);
    done("analysed");
    done(`${await proveCopies(store, { ...reviewer, practices })} cases read and a record verified`);
    return desk;
  } finally {
    await client.end();
    await store.close();
  }
}

async function copyShare(job: Job): Promise<void> {
  const child = fork(join(root, "bench/console/copier.ts"), {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  await Promise.race([once(child, "message"), ended]);
  child.send(job);
  const [code] = await ended;
  if (code !== 0) throw new Error(`Copying ended with ${String(code)}.`);
}

type Index = { readonly name: string; readonly definition: string };

const indexesText = `
  SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
   WHERE t.relname = ANY ($1) AND NOT i.indisprimary
     AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
   ORDER BY t.relpages DESC, c.relname`;

async function dropIndexes(client: pg.Client): Promise<readonly Index[]> {
  const { rows } = await client.query<Index>(indexesText, [filledTables]);
  for (const { name } of rows) await client.query(`DROP INDEX "${name}"`);
  return rows;
}

function makeIndexes(url: string, indexes: readonly Index[]): Promise<void> {
  const settings = "SET maintenance_work_mem = '512MB'; SET max_parallel_maintenance_workers = 0";
  return twoAtATime(url, [...indexes.map(({ definition }) => definition)], settings);
}

function analyse(url: string, tables: readonly string[]): Promise<void> {
  return twoAtATime(url, [...tables.map((table) => `VACUUM (ANALYZE) ${table}`)]);
}

/** Empties the list of statements. */
async function twoAtATime(url: string, statements: string[], settings = ""): Promise<void> {
  const run = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(settings);
    for (let next = statements.shift(); next !== undefined; next = statements.shift()) await client.query(next);
    await client.end();
  };
  await Promise.all([run(), run()]);
}

async function proveIndexes(client: pg.Client, indexes: readonly Index[]): Promise<void> {
  const { rows } = await client.query<Index>(indexesText, [filledTables]);
  const before = new Set(indexes.map(({ definition }) => definition));
  if (rows.length !== before.size || rows.some(({ definition }) => !before.has(definition))) {
    throw new Error("The indexes are not what they were before the cases were copied.");
  }
}
