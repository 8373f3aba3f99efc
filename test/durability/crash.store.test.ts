import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RouteSettings } from "#lib/payer/model/destination";
import { gateOf, stateOf, type Task } from "#lib/task/model/task";
import { crashPoints, type CrashPoint } from "#lib/platform/process/crash-point";
import { newId } from "#lib/db/new-id";
import { rowToTask } from "#lib/task/store/task-rows";
import { loadTask } from "#lib/task/store/load-task";
import { inTransaction, type Store } from "#lib/db/db";
import { recordInformationRequest } from "#lib/submission/record-payer-answer";
import { releaseGate } from "#lib/gate/release-gate";
import { sendMessage } from "#lib/task/send-message";
import { resolveUnconfirmed } from "#lib/submission/resolve-unconfirmed";
import { actsOf, aChannel, aPerson, aPractice, aRoute, aVoid, anIntake, fullReview } from "#test/support/cases/cases";
import { noteTrial } from "#test/support/processes/crash-trials";
import { openGround, type Ground, type ReceivedRequest } from "#test/support/processes/crash";
import { transportTo } from "#test/support/payer/service-review/build";

/** What a released action comes to when nothing goes wrong, and where it stands while that is in doubt. */
const ends = {
  transmit: { done: "transmitted", doubt: "transmit-unconfirmed" },
  update: { done: "transmitted", doubt: "transmit-unconfirmed" },
  void: { done: "voided", doubt: "void-unconfirmed" },
} as const;

type Action = keyof typeof ends;
type Wire = "pas-fhir" | "service-review";

/** What an action is in the payer's ledger. */
const kinds = { transmit: "request", update: "update", void: "void" } as const;

let ground: Ground;
beforeAll(async () => {
  ground = await openGround();
}, 120_000);
afterAll(() => ground.close());

const wires = (["pas-fhir", "service-review"] as const).flatMap((wire) =>
  // Safe because these are the keys it was written with.
  (Object.keys(ends) as Action[]).map((action) => [wire, action] as const),
);

/** Where some of an action may have left, or the answer to it may be lost. */
const mayHaveLeft = ["started", "connected", "written", "answering", "received", "recording"] as const;

/** `npm run crash` tries every point; what is no request for a new case on service-review, the tests try where it counts. */
function pointsOf(wire: Wire, action: Action): readonly CrashPoint[] {
  const all = wire === "pas-fhir" || action === "transmit" || process.env["CRASH_TRIALS"];
  return all ? crashPoints : mayHaveLeft;
}

// On service-review nothing tells two equal requests apart: what is sent twice is a second case.
describe.each(wires)("on %s, a worker killed while it carries a released %s", (wire, action) => {
  test.each(pointsOf(wire, action))(
    "at %s: the payer has it once or a person is asked, and nothing is lost",
    async (point) => {
      const released = await releasedTask(action, { wire });
      await expect(ground.dieAt(point)).resolves.toBe("SIGKILL");
      await ground.worked();
      const { taskId } = released;
      const { done, doubt } = ends[action];
      await ground.healUntil(taskId, async (answered) => {
        const state = await stateNow(taskId);
        return state === done || (state === doubt && answered() >= 3);
      });
      const state = await stateNow(taskId);
      const received = await arrived(released);
      noteTrial({ wire, action, honoured: false, point, ...came(received), isAtPerson: state === doubt });
      expect(received.map(({ times }) => times)).toEqual(state === done ? [1] : []);
      expect(await effectsInAudit(taskId, released.gateId)).toBe(state === done ? 1 : 0);
      if (state === doubt) await settleByHand(released, action);
    },
  );
});

describe("a worker killed while it carries releases of three practices that share their transactions", () => {
  test.each(["claiming", "claimed", "starting", "started", "received", "recording"] as const)(
    "at %s: the payer has each once or a person is asked, and nothing is lost",
    async (point) => {
      const all = [await releasedTask("transmit"), await releasedTask("transmit"), await releasedTask("transmit")];
      await expect(ground.dieAt(point)).resolves.toBe("SIGKILL");
      await ground.worked();
      for (const released of all) {
        const { taskId, gateId } = released;
        const { done, doubt } = ends.transmit;
        await ground.healUntil(taskId, async (answered) => {
          const state = await stateNow(taskId);
          return state === done || (state === doubt && answered() >= 3);
        });
        const isDone = (await stateNow(taskId)) === done;
        expect((await arrived(released)).map(({ times }) => times)).toEqual(isDone ? [1] : []);
        expect(await effectsInAudit(taskId, gateId)).toBe(isDone ? 1 : 0);
        if (!isDone) await settleByHand(released, "transmit");
      }
    },
  );
});

describe("on service-review, a worker killed while the payer has a new request, which it then does not find", () => {
  afterAll(() => ground.blind(false));

  test.each(["answering", "received", "recording"] as const)(
    "at %s: it is never sent again, and a person is asked",
    async (point) => {
      const released = await releasedTask("transmit", { wire: "service-review" });
      await expect(ground.dieAt(point)).resolves.toBe("SIGKILL");
      await ground.blind(true);
      await ground.healUntil(released.taskId, (answered) => Promise.resolve(answered() >= 3));
      expect(await stateNow(released.taskId)).toBe("transmit-unconfirmed");
      expect((await arrived(released)).map(({ times }) => times)).toEqual([1]);
    },
  );
});

/** Where the payer certainly has it, and its answer is certainly not recorded. */
const pastAnswer = new Set<CrashPoint>(["answering", "received", "recording"]);

describe.each(Object.keys(ends) as Action[])(
  "a worker killed while it carries a released %s to a payer that honours our identity",
  (action) => {
    afterAll(() => ground.blind(false));

    test.each(crashPoints)(
      "at %s: the payer does it once, also when it finds nothing, and no person is asked",
      async (point) => {
        const { taskId, gateId, digests } = await releasedTask(action, { settings: { resend: "by-identity" } });
        await expect(ground.dieAt(point)).resolves.toBe("SIGKILL");
        await ground.blind(true);
        await ground.healUntil(taskId, async () => (await stateNow(taskId)) === ends[action].done);
        const received = await ground.received(digests);
        noteTrial({ wire: "pas-fhir", action, honoured: true, point, ...came(received), isAtPerson: false });
        expect(received).toHaveLength(1);
        if (pastAnswer.has(point)) expect(received).toMatchObject([{ times: 2 }]);
        expect(await effectsInAudit(taskId, gateId)).toBe(1);
        const acts = await actsOf(ground.store, taskId);
        expect(acts.filter((act) => act === "gate.released")).toHaveLength(action === "transmit" ? 1 : 2);
      },
    );
  },
);

describe("a worker frozen past its lease", () => {
  test.each(["claimed", "opened", "started", "connected", "written", "answering", "received"] as const)(
    "at %s writes nothing when it wakes, and what it carried has arrived once",
    async (point) => {
      const released = await releasedTask("transmit");
      const { taskId, digests } = released;
      // What stands before its first byte must not leave once its time is over; a wait as long as its lease, cut short.
      const frozen = await ground.freezeAt(point, point === "started" || point === "connected" ? 8_000 : 60_000);
      await ground.healUntil(taskId, async (answered) => (await stateNow(taskId)) === "transmitted" || answered() >= 3);
      const isThere = (await stateNow(taskId)) === "transmitted";
      const before = await rowNow(ground.store, taskId);
      const acts = await actsOf(ground.store, taskId);
      expect(await frozen.wake()).toMatch(/attempt-superseded|lapsed before sending/);
      expect((await rowNow(ground.store, taskId)).version).toBe(before.version);
      expect(await actsOf(ground.store, taskId)).toEqual(acts);
      expect((await ground.received(digests)).map(({ times }) => times)).toEqual(isThere ? [1] : []);
      if (!isThere) await settleByHand(released, "transmit");
    },
  );
});

/** What the payer took of a released action: by its bytes, or by whom it is about, for a void on service-review has none. */
function arrived({ wire, memberId, action, digests }: ReleasedTask): Promise<readonly ReceivedRequest[]> {
  return wire === "service-review" ? ground.taken(memberId, kinds[action]) : ground.received(digests);
}

function came(received: readonly ReceivedRequest[]) {
  return { effects: received.length, arrivals: received.reduce((sum, { times }) => sum + times, 0) };
}

/** A person asked the payer, which has none: the same is released again, and then arrives once. */
async function settleByHand(released: ReleasedTask, action: Action): Promise<void> {
  const { taskId, gateId, reviewer } = released;
  const inquiry = { whom: "The payer's provider line", by: "phone", at: new Date() } as const;
  const settled = await resolveUnconfirmed(reviewer, { taskId, gateId, payerHas: action === "void", inquiry });
  expect(settled).toMatchObject({ ok: true });
  const digests = await release(taskId, reviewer);
  await ground.healUntil(taskId, async () => (await stateNow(taskId)) === ends[action].done);
  expect((await arrived({ ...released, digests })).map(({ times }) => times)).toEqual([1]);
}

type ReleasedTask = Awaited<ReturnType<typeof releasedTask>>;

/** A case of its own, pended at the payer where it is there already, with the action released. */
async function releasedTask(
  action: Action,
  { wire = "pas-fhir", settings = {} }: { readonly wire?: Wire; readonly settings?: RouteSettings } = {},
) {
  const { store, payerUrl } = ground;
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId, ...routeOf(wire, payerUrl, settings) });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const memberId = wire === "service-review" ? `${newId()}-PEND`.slice(-30) : "HM1PEND";
  const review = { ...fullReview, subscriber: { ...fullReview.subscriber, memberId } };
  const sent = await sendMessage(channel, anIntake({ practiceId, review }));
  if (!sent.ok) throw new Error(`The intake was refused: ${sent.refusal.type}`);
  const taskId = sent.value.id;
  if (action !== "transmit") {
    await release(taskId, reviewer);
    await ground.healUntil(taskId, async () => (await stateNow(taskId)) === "transmitted");
    await ground.worked();
  }
  if (action === "update") {
    await recordInformationRequest(reviewer, { taskId, informationRequest: "Another visit count." });
    const [procedure] = fullReview.procedures;
    const more = { ...review, procedures: [{ ...procedure, quantity: 2 }] };
    expect(await sendMessage(channel, anIntake({ practiceId, taskId, review: more }))).toMatchObject({ ok: true });
  }
  if (action === "void") expect(await sendMessage(channel, aVoid({ practiceId, taskId }))).toMatchObject({ ok: true });
  const digests = await release(taskId, reviewer);
  const gateId = gateOf(await taskNow(taskId))?.id ?? "";
  return { wire, action, memberId, taskId, gateId, reviewer, digests };
}

function routeOf(wire: Wire, payerUrl: string, settings: RouteSettings) {
  if (wire === "pas-fhir") return { connector: wire, url: `${payerUrl}/fhir`, settings };
  return {
    connector: wire,
    url: payerUrl,
    credential: "s3cret",
    settings: { ...transportTo(payerUrl).route?.settings },
  };
}

/** Releases what is held, and gives the digests of the documents that may now leave. */
async function release(taskId: string, reviewer: Awaited<ReturnType<typeof aPerson>>): Promise<readonly string[]> {
  const gate = gateOf(await taskNow(taskId));
  if (!gate) throw new Error("The task stands at no gate.");
  const seen = { gateId: gate.id, revision: gate.revision, digest: gate.digest };
  expect(await releaseGate(reviewer, { taskId, seen })).toMatchObject({ ok: true });
  const { documentDigests } = await ground.store.prisma.gate.findUniqueOrThrow({ where: { id: gate.id } });
  return documentDigests;
}

async function rowNow(store: Store, taskId: string) {
  const row = await inTransaction(store, (tx) => loadTask(tx, { taskId, practices: "every" }));
  if (!row) throw new Error("The task is gone.");
  return row;
}

async function taskNow(taskId: string): Promise<Task> {
  return rowToTask(ground.store, await rowNow(ground.store, taskId));
}

async function stateNow(taskId: string) {
  return stateOf(await taskNow(taskId));
}

/** How often the record says that the payer has what left by this gate. */
async function effectsInAudit(taskId: string, gateId: string): Promise<number> {
  const { rows } = await ground.store.pool.query<{ count: number }>(
    `SELECT count(*)::int FROM audit_entry WHERE task_id = $1 AND detail::jsonb->>'gateId' = $2
        AND act IN ('transmission.accepted', 'transmission.resolved', 'payer.voided', 'payer.decided')`,
    [taskId, gateId],
  );
  return rows[0]?.count ?? 0;
}
