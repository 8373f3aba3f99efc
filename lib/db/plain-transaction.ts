import type { Pool, PoolClient, QueryResult } from "pg";
import type { Prisma } from "#lib/db/generated/prisma/client";
import { failingOf, PerhapsDone, Undone } from "./retry.ts";
import { inOneRoundTrip } from "./round-trip.ts";
import type { Statement } from "./statement.ts";
import { type Asking, type HeldClient, holdingClient, noteHeld } from "./transaction-client.ts";
import { sayingPractices } from "./tenant-scope.ts";
import { DatabaseBusyError } from "./unavailable.ts";

/** What ran in a plain transaction asked something of Prisma. It is undone, and to be run in a transaction of Prisma's. */
export class NeedsPrisma extends Error {
  override readonly name = "NeedsPrisma";
}

type Plan = {
  /** The practices it may see and write, as `app.practices` holds them; undefined for none. */
  readonly practices: string | undefined;
  readonly longestMs: number;
};

/** `doubt`: the connection was lost during the commit. */
export type Outcome<Value> = { readonly value: Value; readonly doubt?: PerhapsDone };

/**
 * Runs a transaction without Prisma, whose own part in one costs more than most of its statements. It begins in one round
 * trip with its first statements; those that are asked for at once go together; and it is committed in one with the
 * statement that says so, or else by itself. Fails with `NeedsPrisma`, undone, where Prisma is asked for anything.
 */
export async function plainTransaction<Value>(
  pool: Pool,
  { practices, longestMs }: Plan,
  run: (tx: Prisma.TransactionClient) => Promise<Value>,
): Promise<Outcome<Value>> {
  const client = await pool.connect();
  const trips = tripsOver(client, practices === undefined ? [] : [sayingPractices(practices)]);
  const held: HeldClient = { client: gathering(trips, performance.now() + longestMs), isTaken: true };
  const tx = withoutPrisma(trips);
  noteHeld(tx, held);
  let written: { readonly value: Value } | undefined;
  try {
    written = { value: await holdingClient(held, () => run(tx)) };
    await trips.commit();
    client.release();
    return written;
  } catch (error) {
    const { fate, isFree } = await trips.end();
    client.release(isFree ? undefined : true);
    const failing = failingOf(error);
    if (fate === "undone") throw failing === "perhaps" ? new Undone(error) : error;
    // What is kept is never done again, whatever failed behind it.
    if (fate === "kept" && failing === "failed") throw error;
    const doubt = new PerhapsDone(error);
    if (written) return { ...written, doubt };
    throw doubt;
  } finally {
    held.client = undefined;
  }
}

const lost: ReadonlySet<ReturnType<typeof failingOf>> = new Set(["perhaps", "silent"]);

/** A transaction as its statements see it, and a refusal for whoever asks Prisma. */
export function withoutPrisma({ hasEnded }: Pick<Trips, "hasEnded">): Prisma.TransactionClient {
  const refuse = () => {
    throw hasEnded() ? new Error(endedText) : new NeedsPrisma("Prisma is asked in a plain transaction.");
  };
  // Safe because nothing can be had of it.
  return new Proxy({}, { get: refuse }) as Prisma.TransactionClient;
}

const endedText = "The transaction has ended.";

const beginning: Statement = { name: "BEGIN", text: "BEGIN", values: [] };
const committing: Statement = { name: "COMMIT", text: "COMMIT", values: [] };
const undoing: Statement = { name: "ROLLBACK", text: "ROLLBACK", values: [] };

/** `over`: it is told to end, and nothing more is sent. */
type Stage = "before" | "open" | "over";

/** What became of it. `unknown`: the connection was lost during the commit. */
type Fate = "kept" | "undone" | "unknown";

export type Trips = ReturnType<typeof tripsOver>;

/** The round trips of one transaction, over the connection it has; `saying` goes before its first statements. */
export function tripsOver(client: PoolClient, saying: readonly Statement[]) {
  let stage: Stage = "before";
  let committed: Promise<unknown> | undefined;
  const first = [beginning, ...saying];

  function send(statements: readonly Statement[]): readonly Promise<QueryResult>[] {
    const before = stage === "before" ? first : [];
    stage = "open";
    return inOneRoundTrip(client, [...before, ...statements]).slice(before.length);
  }

  /** Answers them once they are committed. */
  function sendLast(statements: readonly Statement[]): readonly Promise<QueryResult>[] {
    const answers = send([...statements, committing]);
    stage = "over";
    const kept = Promise.resolve(answers.at(-1)).then((answer) => {
      // Postgres answers a `COMMIT` of what failed with a `ROLLBACK`.
      if (answer?.command !== "COMMIT")
        throw new Error("A statement failed, and the transaction went on as if it had not.");
    });
    committed = kept;
    return answers.map((answer) => {
      const answered = kept.then(() => answer);
      // Nobody waits for the commit itself where statements go with it.
      answered.catch(() => undefined);
      return answered;
    });
  }

  async function fateOf(commit: Promise<unknown>): Promise<Fate> {
    const [end] = await Promise.allSettled([commit]);
    if (end.status === "fulfilled") return "kept";
    return lost.has(failingOf(end.reason)) ? "unknown" : "undone";
  }

  return {
    send,
    sendLast,
    hasEnded: () => stage === "over",
    /** Waits for the commit, whoever asked for it. */
    commit: async () => {
      if (stage === "open") void sendLast([]);
      stage = "over";
      await committed;
    },
    /** Undoes what is not committed. `isFree`: the connection is outside of any transaction. */
    end: async (): Promise<{ readonly fate: Fate; readonly isFree: boolean }> => {
      const isBegun = stage !== "before";
      stage = "over";
      const fate = committed ? await fateOf(committed) : "undone";
      if (!isBegun || fate !== "undone") return { fate, isFree: fate !== "unknown" };
      const [undone] = await Promise.allSettled(inOneRoundTrip(client, [undoing]));
      return { fate, isFree: undone?.status === "fulfilled" };
    },
  };
}

type Ask = {
  readonly statement: Statement;
  readonly resolve: (answer: Promise<QueryResult>) => void;
};

/** Sends in one round trip what is asked for until nobody who is under way has anything more to ask. */
function gathering({ send, sendLast, hasEnded }: Trips, until: number): Asking {
  let asks: Ask[] = [];

  function flush(): void {
    const together = asks;
    asks = [];
    const statements = together.map(({ statement }) => statement);
    const give = statements.at(-1)?.isLast === true ? sendLast : send;
    const answers = hasEnded() ? statements.map(() => Promise.reject(new Error(endedText))) : give(statements);
    for (const [index, { resolve }] of together.entries()) {
      const answer = answers[index];
      if (answer) resolve(answer);
    }
  }

  return {
    query: async (statement) => {
      if (hasEnded()) throw new Error(endedText);
      if (performance.now() > until) throw new DatabaseBusyError("The transaction took too long.");
      const { promise, resolve } = Promise.withResolvers<QueryResult>();
      asks.push({ statement, resolve });
      if (asks.length === 1) process.nextTick(flush);
      return promise;
    },
  };
}
