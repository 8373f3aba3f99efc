import { randomUUID } from "node:crypto";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { verifyAudit } from "#lib/audit/store/audit-chain";
import { smallReview } from "#test/support/agents/reviews";
import { openDurable, type Durable, type Sender } from "../fixtures/durable.ts";

const { DURABILITY_ROUNDS: rounds = "3", DURABILITY_TRIALS: trials } = process.env;
const kinds = ["Postgres", "server", "both"] as const;
const clientsOfEach = 4;

/** So many are acknowledged in a round before anything is killed. */
const ackedBefore = 100;

type Intake = Sender & { readonly messageId: string };

/** What was sent: acknowledged with the task it became, or not answered as far as its sender knows. */
type Course = { readonly acked: Map<string, string>; readonly open: Map<string, Intake> };

let folder: string;
let durable: Durable;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "durability-"));
  test.setTimeout(120_000);
  durable = await openDurable(folder);
});
test.afterAll(async () => {
  await durable?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("an intake that was acknowledged is there once, with its entry on record, after kill -9 of server and Postgres under load", async () => {
  test.setTimeout(60_000 + Number(rounds) * 40_000);
  const settings = await durable.rowsOf<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') ORDER BY 1",
  );
  expect(settings.map(({ name, setting }) => `${name} ${setting}`)).toEqual([
    "fsync on",
    "full_page_writes on",
    "synchronous_commit on",
  ]);
  let ackedInAll = 0;
  for (let round = 0; round < Number(rounds); round += 1) {
    const kind = kinds[round % kinds.length] ?? "both";
    const { course, underWay, unanswered, recoverMs } = await killedUnderLoad(kind);
    const found = await whatIsThere(course);
    const acked = course.acked.size;
    if (trials !== undefined) {
      const line = { round: round + 1, kind, acked, underWay, unanswered, recoverMs, ...found };
      appendFileSync(trials, `${JSON.stringify(line)}\n`);
    }
    expect({ kind, ...found }).toEqual({ kind, lost: 0, twice: 0, unrecorded: 0, broken: 0 });
    ackedInAll += acked;
    await sentAgain(course);
    const again = await whatIsThere(course);
    expect({ kind, ...again, acked: course.acked.size }).toEqual({
      ...{ kind, lost: 0, twice: 0, unrecorded: 0, broken: 0 },
      acked: acked + unanswered,
    });
  }
  expect(ackedInAll).toBeGreaterThanOrEqual(Number(rounds) * ackedBefore);
});

/** Senders without a pause, each killed process in the middle of their calls, and everything started again. */
async function killedUnderLoad(kind: (typeof kinds)[number]) {
  const course: Course = { acked: new Map(), open: new Map() };
  const stop = new AbortController();
  const loops = durable.senders.flatMap((sender) =>
    Array.from({ length: clientsOfEach }, () => keepPosting(sender, { course, stop: stop.signal })),
  );
  await expect.poll(() => course.acked.size, { timeout: 30_000, intervals: [10] }).toBeGreaterThanOrEqual(ackedBefore);
  // Whoever is cut off in the middle does not know: that is what the kill is to come to.
  const underWay = course.open.size;
  expect(underWay).toBeGreaterThan(0);
  const kills = kind === "both" ? [durable.killPostgres(), durable.killServer()] : [];
  if (kind === "Postgres") kills.push(durable.killPostgres());
  if (kind === "server") kills.push(durable.killServer());
  await Promise.all(kills);
  const beganMs = performance.now();
  stop.abort();
  await durable.recover();
  const recoverMs = Math.round(performance.now() - beganMs);
  await Promise.all(loops);
  return { course, underWay, unanswered: course.open.size, recoverMs };
}

async function keepPosting(sender: Sender, { course, stop }: { course: Course; stop: AbortSignal }): Promise<void> {
  while (!stop.aborted) {
    const intake = { ...sender, messageId: randomUUID() };
    course.open.set(intake.messageId, intake);
    await sendOnce(intake, course);
  }
}

/** Acknowledged is what was answered with 200 and a task, read to its end. */
async function sendOnce({ key, practiceId, messageId }: Intake, { acked, open }: Course): Promise<void> {
  const data = { skill: "prior_auth_intake", practiceId, serviceReview: smallReview };
  const message = { kind: "message", role: "user", messageId, parts: [{ kind: "data", data }] };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout(20_000);
  try {
    const answer = await fetch(`${durable.baseUrl}/api/a2a`, { method: "POST", headers, body, signal });
    const { result } = (await answer.json()) as { result?: { kind: string; id: string } };
    if (answer.status !== 200 || result?.kind !== "task") return;
    acked.set(messageId, result.id);
    open.delete(messageId);
  } catch {
    // Nobody answered: it stays open.
  }
}

/** As an agent does after a lost connection: the same message once more, until it is answered. */
async function sentAgain(course: Course): Promise<void> {
  for (const intake of course.open.values())
    await expect.poll(async () => (await sendOnce(intake, course), course.acked.has(intake.messageId))).toBe(true);
}

/** Each acknowledged intake by its message, what was acknowledged and is not there as it should be, counted. */
async function whatIsThere({ acked }: Course) {
  const rows = await durable.rowsOf<{ message: string; task: string; opened: number; tasks: number }>(
    `SELECT message_id AS message, task_id AS task,
            (SELECT count(*)::int FROM audit_entry e WHERE e.task_id = m.task_id AND e.act = 'task.opened') AS opened,
            (SELECT count(*)::int FROM task t WHERE t.id = m.task_id) AS tasks
       FROM message m WHERE message_id = ANY ($1)`,
    [[...acked.keys()]],
  );
  const byMessage = Map.groupBy(rows, ({ message }) => message);
  const each = [...acked].map(([message, task]) => ({ task, there: byMessage.get(message) ?? [] }));
  const stands = ({ task, there }: (typeof each)[number]) => there.some((row) => row.task === task && row.tasks === 1);
  // Also of what nobody acknowledged: it is there whole or not at all.
  const [halves] = await durable.rowsOf<{ count: number }>(
    `SELECT count(*)::int FROM task t FULL JOIN (SELECT task_id FROM audit_entry WHERE act = 'task.opened') e
         ON e.task_id = t.id WHERE t.id IS NULL OR e.task_id IS NULL`,
  );
  const chains = await verifyAudit(durable.store);
  return {
    lost: each.filter((one) => !stands(one)).length,
    twice: each.filter(({ there }) => there.length > 1).length,
    unrecorded: each.filter(({ there }) => there.some(({ opened }) => opened !== 1)).length + (halves?.count ?? 0),
    broken: chains.filter(({ broken }) => broken !== undefined).length,
  };
}
