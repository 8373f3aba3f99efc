import { afterAll, beforeAll, expect, test } from "vitest";
import { authenticateChannel } from "#lib/channel/authenticate-channel";
import { beginSession } from "#lib/person/session/begin-session";
import { type Store } from "#lib/db/db";
import { openWholeStore } from "#test/support/database/whole-store";
import { loadAccess, resolveRoute } from "#lib/practice/shared/resolved-route";
import { dropClone, freshDatabase, type TestDatabase } from "#test/support/database/fresh-database";
import { commandLine, jsonOf, keyPepper, sealingKey, type Pa } from "#test/support/processes/pa";

let database: TestDatabase;
let store: Store;
let pa: Pa;
const password = "wander tulip 9 kettle";

beforeAll(async () => {
  database = await freshDatabase();
  pa = commandLine(database);
  store = openWholeStore({ url: database.appUrl, sealingKey, keyPepper, connectionsMax: 4 });
});
afterAll(async () => {
  await store.close();
  await dropClone(database);
});

function personOf(email: string): readonly string[] {
  return ["person", "create", "--email", email, "--roles", "reviewer,admin", "--practices", "elm,oak"];
}

function channelCreate(practices: string, atoms: string): readonly string[] {
  return ["channel", "create", "--name", "Front desk", "--practices", practices, "--atoms", atoms];
}

function routeTo(url: string): readonly string[] {
  return ["route", "set", "--practice", "elm", "--payer", "HM1", "--connector", "pas-fhir", "--url", url];
}

const json = (args: readonly string[], input?: string) => jsonOf(pa, args, input);

test("the command line reads and changes nothing for whoever lacks a setting of the service, or its database's password", async () => {
  const guessed = new URL(database.appUrl);
  guessed.password = "guessed";
  const lacking = [{ APP_DATABASE_URL: "" }, { SEALING_KEY: "" }, { APP_DATABASE_URL: guessed.href }];
  const attempts = [
    ["practice", "list"],
    ["practice", "create", "--id", "stranger", "--name", "Stranger"],
  ];
  for (const given of lacking)
    for (const args of attempts) expect(await pa(args, "", given)).toMatchObject({ code: 1, out: "" });
  expect(await store.prisma.practice.count({ where: { id: "stranger" } })).toBe(0);
});

test("an empty service becomes one with an admitted channel, by the commands that scripts rely on", async () => {
  expect(await pa(["bootstrap", "--email", "Root@clinic.example"], `${password}\n`)).toMatchObject({
    code: 0,
    err: "",
  });
  expect(await json(["practice", "create", "--id", "elm", "--name", "Elm Street Spine"])).toEqual({ id: "elm" });
  expect(await json(["practice", "create", "--id", "oak", "--name", "Oak Cardiology"])).toEqual({ id: "oak" });
  const made = await pa(channelCreate("elm,oak", "prior_auth_intake,tasks_get"));
  expect(made).toMatchObject({ code: 0, err: "" });
  const { id, key, ...more } = JSON.parse(made.out) as { id: string; key: string };
  expect(more).toEqual({});
  expect((await authenticateChannel(store, key))?.actor).toMatchObject({
    id,
    practices: ["elm", "oak"],
    atoms: ["prior_auth_intake", "tasks_get"],
  });
  expect(await json(personOf("dana@clinic.example"), password)).toEqual({ id: expect.any(String) });
  expect(await beginSession(store, { email: "dana@clinic.example", password })).toBeDefined();
  expect(await json(routeTo("http://127.0.0.1:4010/fhir"), "s3cret-token\n")).toEqual({
    practice: "elm",
    payer: "HM1",
    version: 1,
    environment: "test",
    superseded: 0,
  });
  const route = await resolveRoute(store, "elm", "HM1");
  expect((await loadAccess(store, route?.destination.routeId ?? "")).credential).toBe("s3cret-token");
});

test("--json prints one JSON value at any position of the option, and no secret", async () => {
  expect(await json(["practice", "list"])).toMatchObject([{ id: "elm" }, { id: "oak" }]);
  const lists = await Promise.all(
    [
      ["channel", "list"],
      ["person", "list"],
      ["route", "list"],
    ].map((args) => pa(["--json", ...args])),
  );
  for (const { code, out } of lists) {
    expect(code).toBe(0);
    expect(Array.isArray(JSON.parse(out))).toBe(true);
    expect(out).not.toMatch(/argon2|s3cret-token|secretHash/);
  }
});

test("the targets and the noted warnings of a practice are set, and an invalid value changes nothing", async () => {
  const targets = ["practice", "targets", "--id", "oak", "--urgent", "2"];
  expect(await json([...targets, "--standard", "8"])).toEqual({ id: "oak", urgentTargetH: 2, standardTargetH: 8 });
  expect(await pa([...targets, "--standard", "1"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("--urgent must not be longer"),
  });
  const warnings = ["practice", "warnings", "--id", "oak", "--noted"];
  expect(await json([...warnings, "old-note, no-attachment"])).toMatchObject({ noted: ["old-note", "no-attachment"] });
  expect((await pa([...warnings, "no-such"])).err).toMatch(/must be a known warning/);
  const [, oak] = (await json(["practice", "list"])) as unknown[];
  expect(oak).toMatchObject({
    urgentTargetH: 2,
    standardTargetH: 8,
    notedWarnings: ["no-attachment", "old-note"],
  });
});

test("lists are tables for people", async () => {
  expect((await pa(["practice", "list"])).out).toMatchInlineSnapshot(`
    "ID   NAME              STATUS  ENVIRONMENT
    elm  Elm Street Spine  active  live
    oak  Oak Cardiology    active  live
    "
  `);
  expect((await pa(["route", "list"])).out).toMatchInlineSnapshot(`
    "PRACTICE  PAYER  NAME  VERSION  CONNECTOR  ENVIRONMENT  LINE OF BUSINESS  URL                         CREDENTIAL  DECISION UPDATES
    elm       HM1          1        pas-fhir   test         unknown           http://127.0.0.1:4010/fhir  kept        ! Checked for regularly. Requests for information are missed
    "
  `);
});

test("a key is rotated, and each is revoked at once", async () => {
  const { id, key } = (await json([
    "channel",
    "create",
    "--name",
    "K",
    "--practices",
    "elm",
    "--atoms",
    "tasks_get",
  ])) as { id: string; key: string };
  const second = (await json(["channel", "rotate", "--id", id])) as { key: string };
  const third = await pa(["channel", "rotate", "--id", id]);
  expect(third).toMatchObject({ code: 1, out: "" });
  expect(third.err).toContain("--revoke-old");
  const replaced = (await json(["channel", "rotate", "--id", id, "--revoke-old"])) as {
    key: string;
    revoked: string[];
  };
  expect(replaced.revoked).toEqual([key.split("_")[1]]);
  expect(await authenticateChannel(store, key)).toBeUndefined();
  await json(["channel", "revoke", "--id", id, "--key", second.key.split("_")[1] ?? ""]);
  expect(await authenticateChannel(store, second.key)).toBeUndefined();
  expect(await authenticateChannel(store, replaced.key)).toBeDefined();
  await json(["channel", "suspend", "--id", id]);
  expect(await authenticateChannel(store, replaced.key)).toBeUndefined();
  await json(["channel", "resume", "--id", id]);
  expect(await json(["channel", "revoke", "--id", id])).toEqual({ id, revoked: [replaced.key.split("_")[1]] });
  expect(await authenticateChannel(store, replaced.key)).toBeUndefined();
});

test("a limit that is lifted is told as any number of calls, not as none", async () => {
  const create = ["channel", "create", "--name", "L", "--practices", "elm", "--atoms", "tasks_get"];
  const { id } = (await json(create)) as { id: string };
  const limited = (more: readonly string[]) => pa(["channel", "limits", "--id", id, ...more]);
  expect((await limited(["--per-second", "5"])).out.trim()).toBe(
    `Calls of channel ${id}: 5 a second, any number at once.`,
  );
  const both = await limited(["--per-second", "none", "--at-once", "3"]);
  expect(both.out.trim()).toBe(`Calls of channel ${id}: any number a second, 3 at once.`);
});

test("a suspended practice is out of reach of every channel until it resumes", async () => {
  const { key } = (await json(channelCreate("oak", "tasks_get"))) as {
    key: string;
  };
  await json(["practice", "suspend", "--id", "oak"]);
  expect((await authenticateChannel(store, key))?.actor.practices).toEqual([]);
  await json(["practice", "resume", "--id", "oak"]);
  expect((await authenticateChannel(store, key))?.actor.practices).toEqual(["oak"]);
});

test("a disabled person's session ends", async () => {
  await json(personOf("lee@clinic.example"), password);
  expect(await beginSession(store, { email: "lee@clinic.example", password })).toBeDefined();
  expect(await json(["person", "disable", "--email", "lee@clinic.example"])).toMatchObject({ sessionsEnded: 1 });
  expect(await beginSession(store, { email: "lee@clinic.example", password })).toBeUndefined();
});

test.each([
  [["bootstrap", "--email", "b@clinic.example"], password, /admin already/],
  [["practice", "create", "--id", "elm", "--name", "A"], "", /exists already: choose another --id/],
  [["practice", "suspend", "--id", "nobody"], "", /no such practice: `practice list`/],
  [[...personOf("p@clinic.example")], "short", /password on standard input must have at least 12/],
  [[...routeTo("http://payer.example")], "", /--url must start with https/],
  [["practice", "create", "--id", "x"], "", /--name <name>' not specified/],
  [["practice", "invent"], "", /unknown command/],
])("%j is refused in a sentence, with nothing on standard output and no stack", async (args, input, sentence) => {
  const ran = await pa(args, input);
  expect(ran).toMatchObject({ code: 1, out: "" });
  expect(ran.err).toMatch(sentence);
  expect(ran.err).not.toMatch(/\n\s+at |node_modules|prisma/i);
});

test.each([
  [
    "nothing listens there",
    () => ({ APP_DATABASE_URL: "postgresql://a:b@127.0.0.1:9/c" }),
    /does not answer \(\w+\): start it with `npm start`/,
  ],
  [
    "the login is wrong",
    () => ({ APP_DATABASE_URL: database.appUrl.replace(/:[^:@]*@/, ":wrong@") }),
    /refuses this login/,
  ],
  ["there is no such database", () => ({ APP_DATABASE_URL: `${database.appUrl}x` }), /no database of that name/],
  ["no database is named", () => ({ APP_DATABASE_URL: "" }), /APP_DATABASE_URL/],
])("where %s, that is said in a sentence with the remedy", async (_, env, sentence) => {
  const ran = await pa(["practice", "list"], "", env());
  expect(ran).toMatchObject({ code: 1, out: "" });
  expect(ran.err).toMatch(sentence);
  expect(ran.err).not.toMatch(/\n\s+at |node_modules|prisma/i);
});
