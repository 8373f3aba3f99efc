import type { ClientBase } from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Store, unscoped } from "#lib/db/db";
import { type Guard, openGuard } from "#lib/submission/ledger/guard";
import { aStore, keyPepper, receiptKey, sealingKey, theWorker } from "#test/support/cases/cases";
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

/** What is lost next: the round trip that comes after so many, or its answer. */
let next: { readonly loss: "statement" | "answer"; after: number } | undefined;
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
        trips.push(trip.statements.at(-1));
        if (next?.after === 0) (next.loss === "answer" ? proxy.loseAnswerTo : proxy.loseStatement)("");
        if (next) next.after -= 1;
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

/** What became of a release whose worker lost this, and tried once more. */
async function submitted(loss: typeof next) {
  const of = await aWiredCase(store, { memberId: "HM1" });
  await of.release();
  const attempt = () => submit(theWorker(shaky), { log, deadlineMs: 20_000, guard }, of.taskId).catch(() => undefined);
  [next, trips.length] = [loss, 0];
  await attempt();
  const taken = [...trips];
  next = undefined;
  await attempt();
  const [arrived] = await of.simulator.ledger();
  const started = await startsIn(folder);
  const noted = started.filter(({ taskId }) => taskId === of.taskId).length;
  return { taken, arrived: arrived?.times ?? 0, noted, state: (await of.read()).state };
}

test(
  "whichever round trip of a submission is lost, or its answer, the request arrives once at most, and never without its line in the ledger",
  { timeout: 60_000 },
  async () => {
    const { taken, ...whole } = await submitted(undefined);
    expect(whole).toEqual({ arrived: 1, noted: 1, state: "determined" });
    expect(taken.filter((last) => last === "COMMIT").length).toBe(3);
    const losses = taken.flatMap((last, after) => {
      const both = last === "COMMIT" ? (["statement", "answer"] as const) : (["statement"] as const);
      return both.map((loss) => ({ loss, after }));
    });
    for (const { loss, after } of losses) {
      const lostBefore = proxy.lost();
      const { arrived, noted, state } = await submitted({ loss, after });
      const of = `${loss} ${after}: ${state}`;
      expect(proxy.lost() - lostBefore, of).toBe(1);
      expect({ arrived, noted }, of).toEqual(
        state === "determined" ? { arrived: 1, noted: 1 } : { arrived: 0, noted: 0 },
      );
      expect(["determined", "transmit-released", "transmitting"], of).toContain(state);
    }
  },
);
