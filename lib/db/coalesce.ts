import { instruments } from "#lib/platform/metrics/instruments";
import type { Store } from "./db.ts";
import { DatabaseBusyError } from "./unavailable.ts";
import { arrayText } from "./tenant-scope.ts";
import { binaryArray, type BinaryType } from "#lib/platform/clever/binary-array";

/** Answers all asks with one statement; the answers come in the order of the asks. */
type AnswerAll<Ask, Answer> = (store: Store, asks: readonly Ask[]) => Promise<readonly Answer[]>;

type Options<Ask> = {
  /** Bytes an ask adds to its statement, where they may be many. */
  readonly bytesOf?: (ask: Ask) => number;
};

type Waiting<Ask, Answer> = {
  readonly ask: Ask;
  readonly since: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Statements of one kind take turns: while one is answered the next is gathered, which costs less than two that answer
 * half each. Beside one that answers so few, waiting would save nothing.
 */
const fewAsks = 4;

/** One that takes this long may wait for somebody's lock, and holds up no other. */
const slowMs = 50;

/** Statements of one kind under way at once at most. */
const statementsMax = 3;

/** One that takes this long may never be answered, and gives its place to another; so do so many at most. */
const stuckMs = 1_500;
const stuckMax = 6;

/** Most asks, and most of their bytes, that one statement answers. An ask of more bytes goes alone. */
const asksMax = 64;
const bytesMax = 1_048_576;

/** How long an ask may wait for its statement to begin, as long as for a connection; and for its answer, both together. */
const waitMaxMs = 3_000;
const answerMaxMs = 5_000;

/** A timer may come early by another clock, by less than this. */
const earlyMs = 5;

/**
 * Makes many asks cost little more than one: those that arrive while a statement
 * is under way wait for the next, which answers them together. Each is answered
 * by a statement that began after it was asked, so nothing is stale. An ask that
 * fails for what it holds or waits for fails alone. A lost connection fails all
 * asks of its statement, and none is asked again: it may have been carried out.
 * Whatever happens to the statement, each ask is answered or fails in seconds.
 */
export function coalesced<Ask, Answer>(
  answerAll: AnswerAll<Ask, Answer>,
  { bytesOf = () => 0 }: Options<Ask> = {},
): (store: Store, ask: Ask) => Promise<Answer> {
  const queues = new WeakMap<Store, (ask: Ask) => Promise<Answer>>();
  return (store, ask) => {
    let queue = queues.get(store);
    if (!queue) queues.set(store, (queue = openQueue((asks) => answerAll(store, asks), bytesOf)));
    return queue(ask);
  };
}

function openQueue<Ask, Answer>(
  answerAll: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
  bytesOf: (ask: Ask) => number,
) {
  type One = Waiting<Ask, Answer>;
  const waiting: One[] = [];
  const underWay = new Map<readonly One[], number>();
  let planned = false;
  const tellLate = tellingLate(waiting);

  function mayBegin(): boolean {
    const now = performance.now();
    const moving = [...underWay].filter(([, began]) => began > now - stuckMs);
    if (moving.length >= statementsMax || underWay.size >= statementsMax + stuckMax) return false;
    const quick = moving.filter(([, began]) => began > now - slowMs);
    return quick.reduce((asks, [batch]) => asks + batch.length, 0) <= fewAsks;
  }

  /** After what has arrived with this ask was read too. */
  function plan(): void {
    if (planned || waiting.length === 0 || !mayBegin()) return;
    planned = true;
    setImmediate(() => {
      planned = false;
      rejectLate(waiting);
      while (waiting.length > 0 && mayBegin()) void answer(takeBatch(waiting, bytesOf));
    });
  }

  async function answer(batch: readonly One[]): Promise<void> {
    underWay.set(batch, performance.now());
    instruments().batchSize.observe(batch.length);
    const left = answerMaxMs - (performance.now() - (batch[0]?.since ?? 0));
    const stop = inTurn([
      [slowMs, plan],
      [stuckMs, plan],
      [left, () => rejectAll(batch)],
    ]);
    const split = await answerTogether(batch);
    stop();
    underWay.delete(batch);
    plan();
    for (const one of split) void answerTogether([one]);
  }

  /** Gives back the asks that are to be asked again, each alone, since one of them failed the others. */
  async function answerTogether(batch: readonly One[]): Promise<readonly One[]> {
    try {
      const answers = await answerAll(batch.map(({ ask }) => ask));
      // Safe because there is an answer to every ask.
      batch.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
    } catch (error) {
      if (batch.length > 1 && isOfOneAsk(error)) return batch;
      for (const { reject } of batch) reject(error);
    }
    return [];
  }

  return (ask: Ask): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, since: performance.now(), resolve, reject });
      tellLate();
      plan();
    });
}

type Step = readonly [atMs: number, act: () => void];

/** Takes one step after the other, each at its time from now, until it is told to stop. */
function inTurn(steps: readonly Step[]): () => void {
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const next = ([step, ...later]: readonly Step[]) => {
    if (!step) return;
    const [atMs, act] = step;
    const leftMs = Math.max(0, atMs - (performance.now() - began));
    timer = setTimeout(() => (act(), next(later)), leftMs + earlyMs);
  };
  next(steps);
  return () => clearTimeout(timer);
}

/** Takes the first from the queue, and those behind it for which there is room. */
function takeBatch<One extends Waiting<Ask, never>, Ask>(waiting: One[], bytesOf: (ask: Ask) => number): One[] {
  let count = 0;
  let bytes = 0;
  for (const { ask } of waiting.slice(0, asksMax)) {
    bytes += bytesOf(ask);
    if (count > 0 && bytes > bytesMax) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** Called with each who waits: where no statement ends none begins either, and somebody must still tell them. */
function tellingLate(waiting: Waiting<unknown, never>[]): () => void {
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    timer = undefined;
    rejectLate(waiting);
    if (waiting[0]) wait(waitMaxMs - (performance.now() - waiting[0].since));
  };
  const wait = (ms: number) => void (timer ??= setTimeout(tell, Math.max(0, ms) + earlyMs));
  return () => wait(waitMaxMs);
}

function rejectLate(waiting: Waiting<unknown, never>[]): void {
  const now = performance.now();
  const inTime = waiting.findIndex(({ since }) => now - since <= waitMaxMs);
  rejectAll(waiting.splice(0, inTime === -1 ? waiting.length : inTime));
}

function rejectAll(asks: readonly Waiting<unknown, never>[]): void {
  for (const { reject } of asks) reject(new DatabaseBusyError("The database was busy for too long."));
}

/** Postgres's classes for data, constraints and lost races, a lock not had and a right: what one ask may bring upon the others. */
function isOfOneAsk(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^(?:(?:22|23|40)[0-9A-Z]{3}|55P03|42501)$/.test(String(error.code))
  );
}

type ColumnType = BinaryType | "inet" | "text[]";

/** Rows a statement is given, column by column in Postgres's types. */
export type Columns = Readonly<Record<string, ColumnType>>;

type RowOf<Of extends Columns> = { readonly [Name in keyof Of]: unknown };
type Query = { readonly name: string; readonly text: string; readonly values: unknown[] };

/**
 * A named statement over rows given to it as a relation: one as plain
 * parameters, which costs the least, many as a list for each column. Beside
 * its columns a row has `n`, its number counted from 1. The text is written
 * apart for one row and for many, since what many need costs the one time.
 */
export function batchStatement<Of extends Columns>(
  name: string,
  columns: Of,
  textOver: (given: string, many: boolean) => string,
): (rows: readonly RowOf<Of>[]) => Query {
  const names = Object.keys(columns);
  const one = textOver(overOne(columns), false);
  const many = textOver(overMany(columns), true);
  return (rows) => {
    const [only, ...others] = rows;
    if (only && others.length === 0) return { name, text: one, values: names.map((column) => only[column]) };
    const values = Object.entries(columns).map(([column, type]) =>
      listOf(
        type,
        rows.map((row) => row[column]),
      ),
    );
    return { name: `${name}-many`, text: many, values };
  };
}

/** A look-up of one row, for many: each by itself, so that none is ever answered by reading whole tables. */
export function eachSeparately(lookUp: (given: string) => string): (given: string, many: boolean) => string {
  return (given, many) =>
    many
      ? `SELECT one.* FROM ${given} given CROSS JOIN LATERAL (${lookUp("(SELECT given.*)")} LIMIT 1) one`
      : lookUp(given);
}

function overOne(columns: Columns): string {
  const given = Object.entries(columns).map(([name, type], index) => `$${index + 1}::${type} AS ${name}`);
  return `(SELECT ${given.join(", ")}, 1 AS n)`;
}

/** A list within a list would be flattened, so each goes as the text of an array. */
function overMany(columns: Columns): string {
  const names = Object.keys(columns);
  const taken = Object.entries(columns).map(([name, type]) => (isBinary(type) ? name : `${name}::${type}`));
  const lists = Object.values(columns).map((type, index) => `$${index + 1}::${isBinary(type) ? type : "text"}[]`);
  return `(SELECT ${taken.join(", ")}, n::int FROM unnest(${lists.join(", ")}) WITH ORDINALITY AS lists (${names.join(", ")}, n))`;
}

function listOf(type: ColumnType, items: readonly unknown[]): Buffer {
  if (isBinary(type)) return binaryArray(type, items);
  return binaryArray("text", type === "text[]" ? items.map(textOf) : items);
}

function textOf(items: unknown): string | null {
  return Array.isArray(items) ? arrayText(items.map(String)) : null;
}

function isBinary(type: ColumnType): type is BinaryType {
  return type !== "inet" && type !== "text[]";
}
