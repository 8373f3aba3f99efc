import type { Bundle, Claim } from "fhir/r4";
import { pino } from "pino";
import { openCalls } from "#lib/gate/shared/gates";
import { releaseGate } from "#lib/gate/release-gate";
import type { ConnectorName } from "#lib/payer/model/destination";
import type { ReceivedFile } from "#lib/task/model/attachment";
import { stateOf } from "#lib/task/model/task";
import { getTask } from "#lib/task/get-task";
import { sendMessage } from "#lib/task/send-message";
import { inquire } from "#lib/worker/inquire";
import { submit } from "#lib/worker/submit";
import type { Store } from "#lib/db/db";
import { aChannel, aPerson, aPractice, aRoute, anIntake, aVoid, fullReview, seenOn, theWorker } from "./cases.ts";
import { unguarded } from "../database/ledgers.ts";
import { aSimulator } from "../payer/simulator.ts";

const versions = { "2.2.1": "fhir", "2.0.1": "fhir-2.0.1" } as const;

type WiredCaseOptions = {
  readonly memberId: string;
  readonly version?: keyof typeof versions;
  readonly routed?: boolean;
  readonly units?: number;
  readonly connector?: Extract<ConnectorName, "pas-fhir" | "manual">;
  readonly members?: object;
};

const log = pino({ enabled: false });

/** A case of a member whose payer is the simulator over real HTTP, and what may happen to it. */
export async function aWiredCase(
  store: Store,
  { memberId, version = "2.2.1", routed = true, units = 1, connector = "pas-fhir", members = {} }: WiredCaseOptions,
) {
  const worker = theWorker(store);
  const simulator = await aSimulator();
  const practiceId = await aPractice(store);
  const route = () =>
    connector === "manual"
      ? aRoute(store, { practiceId, connector })
      : aRoute(store, {
          practiceId,
          url: `${simulator.url}/${versions[version]}`,
          credential: "right",
          settings: { version },
        });
  if (routed) await route();
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const procedures = fullReview.procedures.map((procedure) => ({ ...procedure, quantity: units }));
  const review = { ...fullReview, procedures, subscriber: { ...fullReview.subscriber, memberId }, ...members };
  const tell = async (message: Parameters<typeof sendMessage>[1]) => {
    const sent = await sendMessage(channel, message);
    if (!sent.ok) throw new Error(`The message was refused: ${JSON.stringify(sent.refusal)}`);
    return sent.value;
  };
  /** The case with an id, to be read, released and submitted. */
  const caseOf = (taskId: string) => {
    const read = async () => {
      const found = await getTask(channel, { taskId, historyLength: 0 });
      if (!found.ok) throw new Error("The task is not read.");
      return { ...found.value, state: stateOf(found.value.task) };
    };
    const release = async () => {
      const seen = seenOn(await read());
      const released = await releaseGate(reviewer, { taskId, seen });
      if (!released.ok) throw new Error(`The release was refused: ${released.refusal.type}`);
      return seen.gateId;
    };
    const submitNow = () => submit(worker, { log, deadlineMs: 20_000, guard: unguarded }, taskId);
    return {
      ...{ taskId, read, release, submitNow },
      /** Released by the reviewer and submitted by the worker. */
      leaves: async () => {
        await release();
        await submitNow();
        return read();
      },
      amends: (files: readonly ReceivedFile[], changes: object = {}) =>
        tell(anIntake({ practiceId, taskId, review: { ...review, ...changes }, files })),
      voids: () => tell(aVoid({ practiceId, taskId })),
      asksPayer: () => inquire(worker, { log, deadlineMs: 20_000, guard: unguarded }, taskId),
      gates: () => store.prisma.gate.findMany({ where: { taskId }, orderBy: { openedAt: "asc" } }),
    };
  };
  const { id: taskId } = await tell(anIntake({ practiceId, review }));
  return { ...{ simulator, practiceId, channel, reviewer, route, review, tell, caseOf }, ...caseOf(taskId) };
}

export type WiredCase = Awaited<ReturnType<typeof aWiredCase>>;

/** The digests of the requests that reached the payer, in order, and of the released ones. */
export async function bothSides({ simulator, gates }: Pick<WiredCase, "simulator" | "gates">) {
  const released = (await gates()).filter(({ status }) => status === "released");
  return {
    released: released.map(({ action, isUpdate, documentDigests: [sha256] }) => ({
      kind: action === "void" ? "void" : isUpdate ? "update" : "request",
      sha256,
    })),
    received: (await simulator.ledger()).map(({ kind, sha256, times }) => ({ kind, sha256, times })),
  };
}

/** The Claim that a gate froze. */
export async function claimAt(
  store: Store,
  { calls, ...gate }: Awaited<ReturnType<WiredCase["gates"]>>[number],
): Promise<Claim> {
  const [call] = await openCalls(store, { ...gate, calls });
  // Safe because a PAS gate froze a bundle that begins with its Claim.
  const bundle = JSON.parse(Buffer.from(call?.body ?? []).toString("utf8")) as Bundle;
  return bundle.entry?.[0]?.resource as Claim;
}
