import pg from "pg";
import { expect, test } from "vitest";
import type { Store } from "#lib/db/db";
import { sessionSettings, settingStatement } from "#lib/db/session-settings";
import { proveServer, UnfitError } from "#lib/db/unfit";
import { keyPepper, receiptKey, sealingKey } from "#test/support/processes/pa";
import { freshDatabase, superuserUrl } from "#test/support/database/fresh-database";
import { openWholeStore } from "#test/support/database/whole-store";
import { migrate } from "./migrate.ts";

const opened = (url: string, isPooled: boolean) =>
  openWholeStore({ url, sealingKey, receiptKey, keyPepper, connectionsMax: 2, isPooled });

async function settingsOf({ pool }: Store): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name = ANY ($1::text[])",
    [Object.keys(sessionSettings)],
  );
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
}

async function using<Answer>(store: Store, run: (store: Store) => Promise<Answer>): Promise<Answer> {
  try {
    return await run(store);
  } finally {
    await store.close();
  }
}

test("behind a pooler the role's settings stand in for those of a connection; where they are missing the service does not start and says how to give them", async () => {
  // A clone, whose role was given nothing in it.
  const database = await freshDatabase();
  const refused = await using(opened(database.appUrl, true), (store) =>
    proveServer(store).catch((error: unknown) => error),
  );
  expect(refused).toBeInstanceOf(UnfitError);
  expect(String(refused)).toMatch(/ALTER ROLE "\w+" IN DATABASE "\w+" SET statement_timeout = '\d+'/);
  await migrate(database);
  await using(opened(database.appUrl, true), async (store) => {
    await proveServer(store);
    expect(await settingsOf(store)).toEqual(sessionSettings);
  });
  expect(await using(opened(database.appUrl, false), settingsOf)).toEqual(sessionSettings);
});

test("without a pooler too, a service whose URL has settings in place of ours does not start; the migration's for the role are enough", async () => {
  const database = await freshDatabase();
  const url = `${database.appUrl}${database.appUrl.includes("?") ? "&" : "?"}options=-c%20search_path%3Dpublic`;
  const refused = await using(opened(url, false), (store) => proveServer(store).catch((error: unknown) => error));
  expect(refused).toBeInstanceOf(UnfitError);
  expect(String(refused)).toContain("Take `options` and other settings out of the database's URL");
  await migrate(database);
  await using(opened(url, false), proveServer);
});

test.each([
  ["TimeZone", "Etc/UTC", true],
  ["TimeZone", "GMT", true],
  ["TimeZone", "Europe/London", false],
  ["DateStyle", "ISO, DMY", true],
  ["DateStyle", "German, DMY", false],
])("a pooler's connection from before the migration with %s %s is fit: %s", async (name, value, isFit) => {
  const database = await freshDatabase();
  await migrate(database);
  const superuser = new pg.Client({ connectionString: superuserUrl(database) });
  await superuser.connect();
  await superuser.query(settingStatement(roleOf(database.appUrl), name, value));
  await superuser.end();
  const proof = using(opened(database.appUrl, true), proveServer);
  if (isFit) await proof;
  else await expect(proof).rejects.toThrow(`SET ${name} = '`);
});

function roleOf(url: string): { readonly role: string; readonly database: string } {
  const { username, pathname } = new URL(url);
  return { role: decodeURIComponent(username), database: pathname.slice(1) };
}
