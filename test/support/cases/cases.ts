import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { v7 as uuidv7 } from "uuid";
import type { Context } from "#lib/access/context";
import type { ReceivedFile } from "#lib/task/model/attachment";
import {
  atoms,
  type Atom,
  type ChannelActor,
  type PersonActor,
  type Role,
  type WorkerActor,
} from "#lib/access/model/actor";
import type { CheckType } from "#lib/gate/model/check";
import { warningTypes } from "#lib/gate/model/checks";
import type { ConnectorName, RouteSettings } from "#lib/payer/model/destination";
import { grantsOf, powersOf } from "#lib/access/model/grant";
import { serviceReviewSchema } from "#lib/task/model/service-review";
import { type Store } from "#lib/db/db";
import { openWholeStore } from "../database/whole-store.ts";
import { storeForPerson } from "#lib/db/for-practices";
import { sealCredential } from "#lib/practice/shared/resolved-route";
import { createChannelKey } from "#lib/channel/channel-key";
import type { InboundMessage } from "#lib/task/inbound-message";
import { sendMessage } from "#lib/task/send-message";
import { gateOf } from "#lib/task/model/task";
import type { TaskRecord } from "#lib/task/views";
import { testDatabase } from "../database/fresh-database.ts";
import { smallReview } from "../agents/reviews.ts";

export { fullReview, smallReview } from "../agents/reviews.ts";

export const sealingKey = createHash("sha256").update("tests only").digest();

/** What receipts are signed with in tests. */
export const receiptKey = createHash("sha256").update("tests only, receipts").digest();

/** What the secrets of channel keys are hashed under in tests. */
export const keyPepper = createHash("sha256").update("tests only, channel keys").digest();

/** A store on this worker's own database, as the application's role. */
export function aStore(): Store {
  return openWholeStore({ url: testDatabase.appUrl, sealingKey, receiptKey, keyPepper, connectionsMax: 24 });
}

type PracticeOptions = { recallWindowS?: number; gateExpiryDays?: number; notedWarnings?: readonly CheckType[] };

/** A practice of its own, without a recall window and without reasons to give unless the test is about them. */
export async function aPractice(
  store: Store,
  { recallWindowS = 0, gateExpiryDays = 14, notedWarnings = warningTypes }: PracticeOptions = {},
): Promise<string> {
  const id = `practice-${uuidv7()}`;
  await store.prisma.practice.create({
    data: {
      id,
      name: "Elm Street Spine",
      environment: "test",
      recallWindowS,
      gateExpiryDays,
      notedWarnings: [...notedWarnings],
    },
  });
  await store.keys.ready([id]);
  return id;
}

export async function aChannel(
  store: Store,
  { practices, atoms: held = atoms }: { practices: readonly string[]; atoms?: readonly Atom[] },
): Promise<Context<ChannelActor> & { key: string }> {
  const id = uuidv7();
  const { id: keyId, key, secretHash, lastFour } = createChannelKey(store);
  await store.prisma.channel.create({
    data: {
      id,
      name: "Intake agent",
      atoms: [...held],
      channelPractices: { create: practices.map((practiceId) => ({ practiceId })) },
      channelKeys: {
        create: {
          id: keyId,
          kind: "key",
          secretHash: new Uint8Array(secretHash),
          lastFour,
          expiresAt: new Date(Date.now() + 90 * 24 * 3_600_000),
        },
      },
    },
  });
  return { actor: { kind: "channel", id, practices, atoms: held }, store, key };
}

export async function aPerson(
  store: Store,
  {
    practices,
    roles = ["reviewer"],
    name = "Dana Whitfield",
  }: { practices: readonly string[]; roles?: readonly Role[]; name?: string },
): Promise<Context<PersonActor>> {
  const id = uuidv7();
  const grants = grantsOf(roles, practices);
  await store.prisma.person.create({
    data: {
      id,
      email: `${id}@example.org`,
      name,
      passwordHash: "no password",
      everywhere: grants.flatMap(({ role, practiceId }) => (practiceId === undefined ? [role] : [])),
      personRoles: {
        create: grants.flatMap(({ role, practiceId }) => (practiceId === undefined ? [] : [{ role, practiceId }])),
      },
    },
  });
  const actor = { kind: "person", id, name, ...powersOf(grants) } as const;
  return { actor, store: storeForPerson(store, actor) };
}

export function theWorker(store: Store): Context<WorkerActor> {
  return { actor: { kind: "worker" }, store };
}

/** A route, over PAS unless the test is about another wire; `url` may point at a server of the test's own. */
export async function aRoute(
  store: Store,
  {
    practiceId,
    payerId = "87042",
    version = 1,
    url = "http://127.0.0.1:9/fhir",
    credential = "token",
    connector = "pas-fhir",
    settings = {},
    environment = "test",
  }: {
    practiceId: string;
    environment?: "live" | "test";
    payerId?: string;
    version?: number;
    url?: string;
    credential?: string;
    connector?: ConnectorName;
    settings?: RouteSettings;
  },
): Promise<void> {
  const id = uuidv7();
  const sealed = sealCredential(store, credential, { id, practiceId });
  await store.prisma.route.create({
    data: {
      id,
      practiceId,
      payerId,
      version,
      payerName: "Harbor Mutual",
      connector,
      settings,
      url,
      environment,
      credential: sealed,
    },
  });
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const canonical = (value: unknown) => Buffer.from(canonicalize(value) ?? "");

type Intake = {
  practiceId: string;
  review?: object;
  messageId?: string;
  taskId?: string;
  note?: string;
  contextId?: string;
  files?: readonly ReceivedFile[];
  keepAttachments?: readonly string[];
  earlierTaskId?: string;
};

/** An intake as the edge hands it on. */
export function anIntake({
  practiceId,
  review = smallReview,
  messageId,
  taskId,
  note,
  contextId,
  ...more
}: Intake): InboundMessage {
  const { files = [], keepAttachments, earlierTaskId } = more;
  const data = {
    skill: "prior_auth_intake",
    practiceId,
    serviceReview: review,
    ...(keepAttachments && { keepAttachments }),
  };
  const fileParts = files.map(({ sha256: digest, size, name }) => ({
    kind: "file",
    file: { bytes: { sha256: digest, size }, ...(name ? { name } : {}) },
  }));
  const parts = [{ kind: "data", data }, ...(note ? [{ kind: "text", text: note }] : []), ...fileParts];
  const named = {
    ...(messageId ? { messageId } : {}),
    ...(taskId ? { taskId } : {}),
    ...(earlierTaskId ? { referenceTaskIds: [earlierTaskId] } : {}),
  };
  const body = canonical({ role: "user", parts, ...named });
  return {
    messageId,
    taskId,
    contextId,
    contentDigest: sha256(body),
    body,
    dataPath: "/message/parts/0/data",
    ask: {
      skill: "prior_auth_intake",
      practiceId,
      review: serviceReviewSchema.parse(review),
      reviewBytes: canonical(review),
      files,
      keepAttachments,
      earlierTaskId,
    },
    historyLength: 0,
  };
}

export function aVoid({
  practiceId,
  taskId,
  reason = "Surgery was cancelled.",
  messageId,
}: {
  practiceId: string;
  taskId: string;
  reason?: string;
  messageId?: string;
}): InboundMessage {
  const body = canonical({
    role: "user",
    parts: [{ kind: "data", data: { skill: "prior_auth_void", practiceId, taskId, reason } }],
    messageId,
  });
  const ask = { skill: "prior_auth_void", practiceId, taskId, reason } as const;
  return {
    messageId,
    taskId,
    contentDigest: sha256(body),
    body,
    dataPath: "/message/parts/0/data",
    ask,
    historyLength: 0,
  };
}

/** A practice, its channel, its reviewer and one task at its transmit gate. */
export async function aHeldTask(
  store: Store,
  {
    review = smallReview,
    routed = false,
    files = [],
    ...practice
  }: PracticeOptions & { review?: object; routed?: boolean; files?: readonly ReceivedFile[] } = {},
) {
  const practiceId = await aPractice(store, practice);
  if (routed) await aRoute(store, { practiceId });
  const channel = await aChannel(store, { practices: [practiceId] });
  const reviewer = await aPerson(store, { practices: [practiceId] });
  const sent = await sendMessage(channel, anIntake({ practiceId, review, files }));
  if (!sent.ok) throw new Error(`The intake was refused: ${JSON.stringify(sent.refusal)}`);
  return { practiceId, channel, reviewer, record: sent.value, taskId: sent.value.id, seen: seenOn(sent.value) };
}

/** What a page drawn from this record would name. */
export function seenOn(record: TaskRecord) {
  if (!record.gate) throw new Error("The task stands at no gate.");
  const revision = gateOf(record.task)?.revision ?? record.task.revision;
  return { gateId: record.gate.id, revision, digest: record.gate.digest };
}

/** The acts recorded for a task, in order. */
export async function actsOf(store: Store, taskId: string): Promise<string[]> {
  const { rows } = await store.pool.query<{ act: string }>(
    "SELECT act FROM audit_entry WHERE task_id = $1 ORDER BY seq",
    [taskId],
  );
  return rows.map((row) => row.act);
}
