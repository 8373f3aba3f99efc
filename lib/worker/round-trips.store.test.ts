import type { ClientBase } from "pg";
import { afterAll, expect, test } from "vitest";
import { unscoped } from "#lib/db/db";
import { keyPepper, receiptKey, sealingKey } from "#test/support/cases/cases";
import { testDatabase } from "#test/support/database/fresh-database";
import { aWiredCase } from "#test/support/cases/wired-case";
import { openWholeStore } from "#test/support/database/whole-store";

const store = openWholeStore({
  url: testDatabase.appUrl,
  ...{ sealingKey, receiptKey, keyPepper },
  connectionsMax: 4,
});
afterAll(() => store.close());

/** Statements of the database, beside hints between processes, which come by the clock. */
const statements: string[] = [];
unscoped(store).pool.on("connect", (client: ClientBase) => {
  // Safe because only the first argument is looked at, which is a text or has one.
  const query = client.query.bind(client) as (...args: readonly unknown[]) => unknown;
  const noting = (...args: readonly unknown[]) => {
    const [statement] = args as readonly [string | { readonly text: string }];
    const text = typeof statement === "string" ? statement : statement.text;
    if (!text.includes("pg_notify")) statements.push(text.trim());
    return query(...args);
  };
  Object.assign(client, { query: noting });
});

test("a submission that its payer decides at once takes at most 23 statements, from the claim to the recorded answer", async () => {
  const of = await aWiredCase(store, { memberId: "HM1" });
  await of.release();
  statements.length = 0;
  await of.submitNow();
  const { length } = statements;
  expect((await of.read()).state).toBe("determined");
  expect(statements.filter((text) => text === "COMMIT").length).toBe(3);
  expect(length, statements.join("\n")).toBeLessThanOrEqual(23);
});
