import { openStore } from "#lib/db/db";
import { listen } from "#lib/db/listen";
import { sealingKey } from "#test/support/cases/cases";
import { aReplicatedDatabase } from "#test/support/database/replicated";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "./migrate.ts";

test("a URL with several hosts leads to whichever is the primary, before and after a failover", async () => {
  const database = await aReplicatedDatabase();
  const [ownerUrl, appUrl] = [database.urlOfBoth("owner"), database.urlOfBoth("app")];
  expect(await migrate({ ownerUrl, appUrl })).toEqual([]);
  const store = openStore({ url: appUrl, sealingKey, connectionsMax: 3 });
  let connected = 0;
  const listening = listen(appUrl, {
    onConnected: () => (connected += 1),
    onHint: () => undefined,
    onLost: () => undefined,
  });
  onTestFinished(async () => void (await Promise.all([store.close(), listening.close()])));
  const write = () =>
    store.pool
      .query("INSERT INTO readiness (id, asked_at) VALUES (1, now()) ON CONFLICT (id) DO UPDATE SET asked_at = now()")
      .then(({ rowCount }) => rowCount);
  expect(await write()).toBe(1);
  await expect.poll(() => connected, { timeout: 10_000 }).toBe(1);
  await database.failOver();
  await expect.poll(() => write().catch(() => 0), { timeout: 20_000 }).toBe(1);
  await expect.poll(() => connected, { timeout: 20_000 }).toBe(2);
}, 90_000);
