import type { QueryResult } from "pg";
import type { Trips } from "./plain-transaction.ts";
import type { Statement } from "./statement.ts";
import { sharedStatementMs } from "./tenant-scope.ts";
import type { Asking } from "./transaction-client.ts";

/** What shared a transaction runs again in one of its own. Nothing of it was kept. */
export class GoesAlone extends Error {
  override readonly name = "GoesAlone";
}

/** How long those who are ready to write wait for the others, who then go alone. */
const patienceMs = 1_000;

/** In which time all of it is read; who is not done by then goes alone, and lets the others go. */
const longestMs = 10_000;

/** In which time all chains are locked. Whatever keeps one locked for longer must not keep the others locked too. */
const lockingMs = 300;

/**
 * Before what is written: locks the chains, in the order in which intakes lock those of theirs (`audit_append_each`), and
 * ends where all of that together takes too long.
 */
const lockingChains = (practices: readonly string[]): readonly Statement[] => [
  { name: "bound-locking", text: "SELECT set_config('statement_timeout', $1, true)", values: [String(lockingMs)] },
  {
    name: "lock-chains",
    text: `SELECT set_config('statement_timeout', $2, true)
             FROM (SELECT count(pg_advisory_xact_lock(hashtextextended('audit:' || chain, 0))::text)
                     FROM (SELECT DISTINCT chain FROM unnest($1::text[]) AS given (chain) ORDER BY chain) AS ordered) AS locked`,
    values: [practices, String(sharedStatementMs)],
  },
];

/** What changes something, and so is only taken as the last. Rights and numbers are locked as they are read. */
const changing = /\b(?:INSERT\s+INTO|UPDATE\s+\w|DELETE\s+FROM|audit_append\w*\s*\()/i;

/** One change in a shared transaction. `ready`: it has said the last it writes. */
type Seat = { readonly practice: string; stage: "reading" | "ready" | "over"; last?: Ask };

type Ask = {
  readonly seat: Seat;
  readonly statement: Statement;
  readonly resolve: (rows: QueryResult) => void;
  readonly reject: (error: unknown) => void;
};

/** The round trips of a shared transaction, and who is in it. */
type Journey = {
  readonly trips: Trips;
  readonly seats: Seat[];
  readonly until: number;
  readonly end: PromiseWithResolvers<void>;
  asks: Ask[];
  isOver: boolean;
  /** One after the other; what is asked for meanwhile goes with the next. */
  isTravelling: boolean;
  patience: NodeJS.Timeout | undefined;
  /** Ends it, whoever is not done. */
  limit: NodeJS.Timeout | undefined;
};

/**
 * Lets several changes ask over one connection. `settled` once what each writes last was sent with the commit, or as the
 * first statement that fails.
 */
export function seating(trips: Trips) {
  const journey: Journey = {
    ...{ trips, seats: [], until: performance.now() + longestMs, end: Promise.withResolvers<void>() },
    ...{ asks: [], isOver: false, isTravelling: false, patience: undefined, limit: undefined },
  };
  journey.limit = setTimeout(fail, longestMs, journey, new GoesAlone("It took too long."), []);
  return { settled: journey.end.promise, seat: (practice: string) => seatIn(journey, practice) };
}

function seatIn(journey: Journey, practice: string) {
  const own: Seat = { practice, stage: "reading" };
  journey.seats.push(own);
  const query = async (statement: Statement): Promise<QueryResult> => {
    const isRefused = own.stage !== "reading" || journey.isOver || performance.now() > journey.until;
    if (isRefused || (!statement.isLast && changing.test(statement.text))) throw new GoesAlone();
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult>();
    const ask: Ask = { seat: own, statement, resolve, reject };
    if (statement.isLast) {
      Object.assign(own, { stage: "ready", last: ask });
      process.nextTick(endIfReady, journey);
    } else if (journey.asks.push(ask) === 1) process.nextTick(flush, journey);
    return promise;
  };
  const leave = () => {
    if (own.stage === "reading") own.stage = "over";
    process.nextTick(endIfReady, journey);
  };
  return { own, asking: { query } satisfies Asking, leave };
}

function flush(journey: Journey): void {
  const { isOver, asks } = journey;
  if (journey.isTravelling && !isOver) return;
  journey.asks = [];
  const mayGo = ({ seat }: Ask) => !isOver && seat.stage !== "over";
  refuse(asks.filter((ask) => !mayGo(ask)));
  const groups = grouped(asks.filter(mayGo));
  if (groups.length === 0) return;
  journey.isTravelling = true;
  const answers = journey.trips.send(groups.map(asOne));
  const given = answers.map((answer, index) =>
    answer.then(
      (result) => give(groups[index] ?? [], result),
      (error: unknown) => fail(journey, error, groups[index] ?? []),
    ),
  );
  void Promise.all(given).then(() => {
    journey.isTravelling = false;
    process.nextTick(goOn, journey);
  });
}

function goOn(journey: Journey): void {
  flush(journey);
  endIfReady(journey);
}

function refuse(asks: readonly Ask[]): void {
  for (const { reject } of asks) reject(new GoesAlone());
}

function fail(journey: Journey, error: unknown, asks: readonly Ask[]): void {
  close(journey);
  refuse([...asks, ...lastsOf(journey), ...journey.asks.splice(0)]);
  journey.end.reject(error);
}

function close(journey: Journey): void {
  journey.isOver = true;
  clearTimeout(journey.patience);
  clearTimeout(journey.limit);
}

/** Sends what is last of each, once all have said it. Those who keep the others waiting are left behind. */
function endIfReady(journey: Journey): void {
  if (journey.isOver || journey.isTravelling) return;
  const { seats } = journey;
  if (seats.some(({ stage }) => stage === "reading")) {
    const isAnyReady = seats.some(({ stage }) => stage === "ready");
    if (isAnyReady) journey.patience ??= setTimeout(endWithout, patienceMs, journey);
    return;
  }
  close(journey);
  const lasts = lastsOf(journey);
  if (lasts.length > 0) {
    const locking = lockingChains(lasts.map(({ seat }) => seat.practice));
    const sent = journey.trips.sendLast([...locking, ...lasts.map(({ statement }) => statement)]);
    const answers = sent.slice(locking.length);
    for (const [index, { resolve, reject }] of lasts.entries())
      answers[index]?.then(resolve, (error: unknown) => reject(new GoesAlone("", { cause: error })));
  }
  journey.end.resolve();
}

function endWithout(journey: Journey): void {
  for (const seat of journey.seats) if (seat.stage === "reading") seat.stage = "over";
  endIfReady(journey);
}

function lastsOf({ seats }: Journey): readonly Ask[] {
  return seats.flatMap(({ last }) => last ?? []);
}

/**
 * Those of one kind together, each change's own in the order in which it asked: what it asks for behind another statement
 * is carried out behind it.
 */
function grouped(asks: readonly Ask[]): readonly (readonly Ask[])[] {
  const groups: Ask[][] = [];
  const lastOf = new Map<Seat, number>();
  for (const ask of asks) {
    const from = (lastOf.get(ask.seat) ?? -1) + 1;
    const { many } = ask.statement;
    const fits = ([first]: readonly Ask[], index: number) =>
      index >= from && many !== undefined && first?.statement.many === many;
    const found = groups.findIndex(fits);
    if (found === -1) groups.push([ask]);
    else groups[found]?.push(ask);
    lastOf.set(ask.seat, found === -1 ? groups.length - 1 : found);
  }
  return groups;
}

function asOne(group: readonly Ask[]): Statement {
  const statements = group.map(({ statement }) => statement);
  const [first = nothing, ...others] = statements;
  if (first.many === undefined || others.length === 0) return first;
  const { name, text, takes } = first.many;
  const lists = Array.from({ length: takes }, (_, place) => statements.map(({ values }) => values[place]));
  return { name, text, values: [...lists, group.map(({ seat }) => seat.practice)] };
}

const nothing: Statement = { text: "SELECT", values: [] };

function give(group: readonly Ask[], answer: QueryResult<{ readonly ask_n: number }>): void {
  if (group.length === 1) return group[0]?.resolve(answer);
  const rows = Map.groupBy(answer.rows, (row) => row.ask_n);
  for (const [index, { resolve }] of group.entries()) resolve({ ...answer, rows: rows.get(index + 1) ?? [] });
}
