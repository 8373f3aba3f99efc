import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { text as streamText } from "node:stream/consumers";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openSigningKey } from "#lib/platform/signing-keys";
import { type Store } from "#lib/db/db";
import { openWholeStore } from "#test/support/database/whole-store";
import { declineGate } from "#lib/gate/decline-gate";
import { sendMessage } from "#lib/task/send-message";
import { aHeldTask, anIntake, seenOn } from "#test/support/cases/cases";
import { dropClone, freshDatabase, superuserUrl, type TestDatabase } from "#test/support/database/fresh-database";
import { commandLine, keyPepper, receiptKey, sealingKey, type Pa, type Ran } from "#test/support/processes/pa";
import { aChain, aSigner } from "#test/support/audit/receipts";

let database: TestDatabase;
let store: Store;
let pa: Pa;
let folder: string;

beforeAll(async () => {
  database = await freshDatabase();
  pa = commandLine(database);
  store = openWholeStore({ url: database.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 4 });
});
afterAll(async () => {
  await store.close();
  await dropClone(database);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "receipts-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const main = resolve("lib/cli/main.ts");

/** Runs in an empty folder, without the service's environment. */
function verifyThere(...args: readonly string[]): Promise<Ran> {
  const options = { cwd: folder, env: { NODE_ENV: "production", PATH: process.env.PATH } } as const;
  return new Promise((done) => {
    execFile(process.execPath, [main, "receipt", "verify", ...args], options, (error, out, err) => {
      done({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err });
    });
  });
}

const put = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
};

test("receipts are exported, and verified in an empty folder with a separately stored key", async () => {
  const { practiceId, reviewer, taskId, seen } = await aHeldTask(store);
  await declineGate(reviewer, { taskId, seen, reason: "No." });
  const exported = await pa(["receipt", "export", "--practice", practiceId]);
  const key = await pa(["receipt", "key"]);
  expect([exported.code, exported.err, key.code, key.err]).toEqual([0, "", 0, ""]);
  expect(JSON.parse(key.out)).toEqual({ keys: [openSigningKey(receiptKey).key] });
  put("receipts.jsonl", exported.out);
  put("key.json", key.out);
  const ran = await verifyThere("receipts.jsonl", "--key", "key.json", "--chain");
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(ran.out).toContain("declined by Dana Whitfield");
  expect(ran.out).toContain("The receipt is genuine");
});

test("an export since an instant begins with the first receipt of it", async () => {
  const { practiceId, reviewer, taskId, seen } = await aHeldTask(store);
  await declineGate(reviewer, { taskId, seen, reason: "No." });
  const lines = async (since: string) =>
    (await pa(["receipt", "export", "--practice", practiceId, "--since", since])).out.split("\n").length - 1;
  expect([await lines("2020-01-01"), await lines("2100-01-01T00:00:00Z")]).toEqual([1, 0]);
  expect(await pa(["receipt", "export", "--practice", "nowhere"])).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("no such practice"),
  });
});

test("an export has every receipt but the one that was changed where it is kept, and names that one", async () => {
  const { practiceId, channel, reviewer, taskId, seen } = await aHeldTask(store);
  await declineGate(reviewer, { taskId, seen, reason: "No." });
  const second = await sendMessage(channel, anIntake({ practiceId }));
  if (!second.ok) throw new Error("An intake is accepted.");
  await declineGate(reviewer, { taskId: second.value.id, seen: seenOn(second.value), reason: "No." });
  const superuser = new pg.Client({ connectionString: superuserUrl(database) });
  await superuser.connect();
  await superuser.query("SET session_replication_role = replica");
  await superuser.query(
    "UPDATE decision_receipt SET document = NULL, packed = '\\x0500' WHERE practice_id = $1 AND seq = 1",
    [practiceId],
  );
  await superuser.end();
  const exported = await pa(["receipt", "export", "--practice", practiceId]);
  expect(exported).toMatchObject({ code: 1, err: expect.stringMatching(/^Receipt 1 is not printed: .+\n$/) });
  expect(
    exported.out
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text).sequence),
  ).toEqual([2]);
});

test("what is printed to a full disk is a failure, and what nobody reads any more is none", async () => {
  const signer = aSigner("the service");
  const [text = ""] = aChain({ signer, count: 1 });
  put("key.json", JSON.stringify({ keys: [signer.key] }));
  put("receipt.json", text);
  const args = [main, "receipt", "verify", "receipt.json", "--key", "key.json"];
  const verify = async (output: number | "pipe") => {
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", output, "pipe"] });
    child.stdout?.destroy();
    const err = child.stderr ? streamText(child.stderr) : "";
    return { code: (await once(child, "close"))[0] as number, err: await err };
  };
  const full = openSync("/dev/full", "w");
  expect(await verify(full)).toEqual({
    code: 1,
    err: "What was printed is not complete: it could not be written (ENOSPC).\n",
  });
  closeSync(full);
  expect(await verify("pipe")).toEqual({ code: 0, err: "" });
});

test("past keys are still published after the current one", async () => {
  const before = aSigner("before").key;
  const ran = await pa(["receipt", "key"], "", { RECEIPT_PAST_KEYS: ` ${before.x},` });
  expect(JSON.parse(ran.out)).toEqual({ keys: [openSigningKey(receiptKey).key, before] });
  expect(await pa(["receipt", "key"], "", { RECEIPT_PAST_KEYS: "x" })).toMatchObject({
    code: 1,
    err: expect.stringContaining("RECEIPT_PAST_KEYS"),
  });
});

test("a finding names file, line and receipt, and the exit code is 1", async () => {
  const signer = aSigner("the service");
  const [first = "", second = "", third = ""] = aChain({ signer, count: 3 });
  put("key.json", JSON.stringify({ keys: [signer.key] }));
  put("gap.jsonl", `${first}\n${third}\n`);
  const gap = await verifyThere("gap.jsonl", "--key", "key.json", "--chain");
  expect(gap).toMatchObject({ code: 1, err: "" });
  expect(gap.out).toContain("gap.jsonl:2: receipt 2 is missing before it.");
  put("altered.json", second.replace("Dana", "Dora"));
  const altered = await verifyThere("altered.json", "--key", "key.json", "--json");
  expect(altered.code).toBe(1);
  expect(JSON.parse(altered.out)).toMatchObject({
    ok: false,
    verified: 0,
    findings: [{ where: "altered.json", sequence: 2, problem: "signature" }],
  });
});

test.each([
  ["a key that is none", "receipt.json", "{}", "holds no Ed25519 public key"],
  ["a file that is not there", "elsewhere.json", undefined, "elsewhere.json cannot be read"],
])("%s is said, and the exit code is 1", async (_, file, key, expected) => {
  const signer = aSigner("the service");
  put("receipt.json", aChain({ signer, count: 1 })[0] ?? "");
  put("key.json", key ?? JSON.stringify({ keys: [signer.key] }));
  const ran = await verifyThere(file, "--key", "key.json");
  expect(ran).toMatchObject({ code: 1, out: "" });
  expect(ran.err).toContain(expected);
});
