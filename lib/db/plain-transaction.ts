import type { Pool, PoolClient, QueryResult } from "pg";
import type { Prisma } from "#lib/db/generated/prisma/client";
import { failingOf, PerhapsDone, Undone } from "./retry.ts";
import { inOneRoundTrip } from "./round-trip.ts";
import type { Statement } from "./statement.ts";
import { type Asking, type HeldClient, holdingClient, noteHeld } from "./transaction-client.ts";
import { sayingPractices } from "./tenant-scope.ts";

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
type Outcome<Value> = { readonly value: Value; readonly doubt?: PerhapsDone };

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
  const trips = tripsOver(client, practices);
  const held: HeldClient = { client: gathering(trips, performance.now() + longestMs), isTaken: true };
  const tx = withoutPrisma(held);
  noteHeld(tx, held);
  let written: { readonly value: Value } | undefined;
  try {
    written = { value: await holdingClient(held, () => run(tx)) };
    held.client = undefined;
    await trips.commit();
    client.release();
    return written;
  } catch (error) {
    held.client = undefined;
    const isInDoubt = trips.isCommitting() && lost.has(failingOf(error));
    client.release((await trips.rollBack()) ? undefined : true);
    if (!isInDoubt) throw failingOf(error) === "perhaps" ? new Undone(error) : error;
    const doubt = new PerhapsDone(error);
    if (written) return { ...written, doubt };
    throw doubt;
  }
}

const lost: ReadonlySet<ReturnType<typeof failingOf>> = new Set(["perhaps", "silent"]);

/** A transaction as its statements see it, and a refusal for whoever asks Prisma. */
function withoutPrisma(held: HeldClient): Prisma.TransactionClient {
  const refuse = () => {
    throw held.client ? new NeedsPrisma("Prisma is asked in a plain transaction.") : new Error(endedText);
  };
  // Safe because nothing can be had of it.
  return new Proxy({}, { get: refuse }) as Prisma.TransactionClient;
}

const endedText = "The transaction has ended.";

const beginning: Statement = { name: "BEGIN", text: "BEGIN", values: [] };
const committing: Statement = { name: "COMMIT", text: "COMMIT", values: [] };
const undoing: Statement = { name: "ROLLBACK", text: "ROLLBACK", values: [] };

type Stage = "before" | "open" | "committing" | "over";

/** The round trips of one transaction, over the connection it has. */
function tripsOver(client: PoolClient, practices: string | undefined) {
  let stage: Stage = "before";
  const first = [beginning, ...(practices === undefined ? [] : [sayingPractices(practices)])];

  function send(statements: readonly Statement[]): readonly Promise<QueryResult>[] {
    const before = stage === "before" ? first : [];
    if (stage === "before") stage = "open";
    return inOneRoundTrip(client, [...before, ...statements]).slice(before.length);
  }

  /** Answers them once they are committed. */
  function sendLast(statements: readonly Statement[]): readonly Promise<QueryResult>[] {
    const answers = send([...statements, committing]);
    stage = "committing";
    const committed = Promise.all(answers).then((results) => {
      // Postgres answers a `COMMIT` of what failed with a `ROLLBACK`.
      if (results.at(-1)?.command !== "COMMIT")
        throw new Error("A statement failed, and the transaction went on as if it had not.");
      stage = "over";
    });
    return answers.map((answer) => {
      const kept = committed.then(() => answer);
      // Nobody waits for the commit itself where statements go with it.
      kept.catch(() => undefined);
      return kept;
    });
  }

  return {
    send,
    sendLast,
    hasEnded: () => stage === "committing" || stage === "over",
    isCommitting: () => stage === "committing",
    commit: async () => {
      if (stage === "open") await Promise.all(sendLast([]));
    },
    /** Whether the connection is outside of any transaction. */
    rollBack: async () => {
      if (stage === "before" || stage === "over") return true;
      stage = "over";
      const [undone] = await Promise.allSettled(inOneRoundTrip(client, [undoing]));
      return undone?.status === "fulfilled";
    },
  };
}

type Ask = {
  readonly statement: Statement;
  readonly resolve: (answer: Promise<QueryResult>) => void;
};

/** Sends in one round trip what is asked for until nobody who is under way has anything more to ask. */
function gathering({ send, sendLast, hasEnded }: ReturnType<typeof tripsOver>, until: number): Asking {
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
      if (performance.now() > until) throw new Error("The transaction took too long.");
      const { promise, resolve } = Promise.withResolvers<QueryResult>();
      asks.push({ statement, resolve });
      if (asks.length === 1) process.nextTick(flush);
      return promise;
    },
  };
}
