import type { ClientBase } from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Store, unscoped } from "#lib/db/db";
import { forPractices } from "#lib/db/for-practices";
import { type Guard, openGuard } from "#lib/submission/ledger/guard";
import { aStore, keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { aWiredCase } from "#test/support/cases/wired-case";
import { testDatabase } from "#test/support/database/fresh-database";
import { aLedger, startsIn, unguarded } from "#test/support/database/ledgers";
import { type LosingProxy, losingProxy } from "#test/support/database/losing-proxy";
import { openWholeStore } from "#test/support/database/whole-store";
import { submit } from "./submit.ts";

const store = aStore();
let proxy: LosingProxy;
/** The same database over connections that get lost. */
let shaky: Store;
let [folder, guard]: [string, Guard] = ["", unguarded];
const log = pino({ enabled: false });

/** Of the round trips that are meant, by their last statement. */
type Meant = (last: string | undefined) => boolean;

/** What is lost next: the round trip that comes after so many that are meant, or its answer. */
let next: { readonly loss: "statement" | "answer"; readonly isMeant: Meant; after: number } | undefined;
/** The last statement of each round trip to the database. */
const trips: (string | undefined)[] = [];

beforeAll(async () => {
  proxy = await losingProxy(testDatabase.appUrl);
  shaky = openWholeStore({ url: proxy.url, sealingKey, receiptKey, keyPepper, connectionsMax: 4 });
  folder = await aLedger(store);
  guard = await openGuard({ store: unscoped(store), log, folder });
  await guard.check();
  unscoped(shaky).pool.on("connect", (client: ClientBase) => {
    // Safe because only what is a round trip of a transaction is looked at.
    const ask = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
    const losing = (...args: readonly unknown[]) => {
      const [trip] = args as readonly [{ readonly statements?: readonly string[] }];
      if (trip.statements) {
        const last = trip.statements.at(-1);
        trips.push(last);
        if (next?.isMeant(last)) {
          if (next.after === 0) (next.loss === "answer" ? proxy.loseAnswerTo : proxy.loseStatement)("");
          next.after -= 1;
        }
      }
      return ask(...args);
    };
    Object.assign(client, { query: losing });
  });
});
afterAll(async () => {
  await guard.close();
  await Promise.all([store.close(), shaky.close()]);
  proxy.close();
});

/** What became of releases whose worker lost this, and tried once more. */
async function submitted(loss: typeof next, count = 1) {
  const cases = await Promise.all(Array.from({ length: count }, () => aWiredCase(store, { memberId: "HM1" })));
  for (const of of cases) await of.release();
  const attempt = ({ practiceId, taskId }: (typeof cases)[number]) => {
    const ctx = { actor: { kind: "worker" }, store: forPractices(shaky, [practiceId]) } as const;
    return submit(ctx, { log, deadlineMs: 20_000, guard }, taskId).catch(() => undefined);
  };
  [next, trips.length] = [loss, 0];
  await Promise.all(cases.map(attempt));
  const taken = [...trips];
  next = undefined;
  await Promise.all(cases.map(attempt));
  const started = await startsIn(folder);
  const ends = await Promise.all(
    cases.map(async ({ taskId, simulator, read }) => {
      const [arrived] = await simulator.ledger();
      const noted = started.filter((start) => start.taskId === taskId).length;
      return { arrived: arrived?.times ?? 0, noted, state: (await read()).state };
    }),
  );
  return { taken, ends };
}

const whole = { arrived: 1, noted: 1, state: "determined" };

const isCommit: Meant = (last) => last === "COMMIT";

/** Loses one round trip that is meant after the other, or its answer, of so many that are submitted at the same time. */
async function loseEach(count: number, isMeant: Meant) {
  const { taken, ends } = await submitted(undefined, count);
  const meant = taken.filter(isMeant);
  // Each has three commits, and of several there are more where not all came at once.
  const losses = (count === 1 ? meant : meant.slice(0, 3)).flatMap((last, after) => {
    const both = isCommit(last) ? (["statement", "answer"] as const) : (["statement"] as const);
    return both.map((loss) => ({ loss, after, isMeant }));
  });
  expect(losses.filter(({ loss }) => loss === "answer").length).toBe(3);
  for (const lost of losses) {
    const { loss, after } = lost;
    const lostBefore = proxy.lost();
    const became = await submitted({ ...lost }, count);
    expect(proxy.lost() - lostBefore, `${loss} ${after}`).toBe(1);
    for (const { arrived, noted, state } of became.ends) {
      const of = `${loss} ${after}: ${state}`;
      const isDone = state === "determined";
      expect({ arrived, noted }, of).toEqual(isDone ? { arrived: 1, noted: 1 } : { arrived: 0, noted: 0 });
      expect(["determined", "transmit-released", "transmitting"], of).toContain(state);
    }
  }
  return ends;
}

test(
  "whichever round trip of a submission is lost, or its answer, the request arrives once at most, and never without its line in the ledger",
  { timeout: 60_000 },
  async () => expect(await loseEach(1, () => true)).toEqual([whole]),
);

test(
  "whichever commit of submissions that share their transactions is lost, or its answer, each arrives once at most, and never without its line in the ledger",
  { timeout: 120_000 },
  async () => expect(await loseEach(3, isCommit)).toEqual([whole, whole, whole]),
);
