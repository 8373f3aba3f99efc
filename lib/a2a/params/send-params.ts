import { z } from "zod";
import { fileProblems, messageProblems } from "#lib/messages/problems/agent";
import { filesPerRevisionMax, type ReceivedFile } from "#lib/task/model/attachment";
import { ok, refuse, type Result } from "#lib/platform/result";
import { lowerCaseUuid } from "#lib/platform/uuid";
import { isRenewal } from "#lib/task/model/renewal";
import { messageBytesMax } from "#lib/task/model/message-length";
import { idText, serviceReviewSchema } from "#lib/task/model/service-review";
import type { InboundMessage } from "#lib/task/inbound-message";
import type { Issue } from "#lib/task/refusal";
import { canonicalBytes, canonicalMessage } from "./canonical.ts";
import { distinctFiles, filePartSchema, readFiles, withReferences } from "./file-parts.ts";
import { parseAt } from "./issues.ts";
import { blockingMsMax, messageIdCharsMax, noteCharsMax, partsMax, reasonCharsMax } from "#lib/a2a/admit/limits";
import type { Wait } from "#lib/a2a/wait";
import { memberAt } from "./requested-access.ts";
import { historyLengthSchema, uuidText } from "./task-params.ts";

const textOf = (charsMax: number) =>
  z.string().min(1, "must not be empty").max(charsMax, `must be at most ${charsMax} characters`);

const partSchema = z.discriminatedUnion(
  "kind",
  [
    z.looseObject({ kind: z.literal("data"), data: z.looseObject({}) }),
    z.looseObject({
      kind: z.literal("text"),
      text: z.string().max(noteCharsMax, `must be at most ${noteCharsMax} characters`),
    }),
    filePartSchema,
  ],
  // Of a part that is no object, the general text says so.
  {
    error: ({ input }) =>
      typeof input === "object" && input && !Array.isArray(input) ? 'must be "data", "text" or "file"' : undefined,
  },
);

/** Most tasks a message may refer to. */
const referencesMax = 20;

const messageSchema = z.looseObject({
  kind: z.literal("message").optional(),
  role: z.literal("user"),
  parts: z.array(partSchema).min(1).max(partsMax),
  messageId: textOf(messageIdCharsMax).optional(),
  taskId: uuidText.optional(),
  contextId: uuidText.optional(),
  referenceTaskIds: z.array(uuidText).max(referencesMax).optional(),
  metadata: z.looseObject({}).optional(),
});

/** The form of the params of `message/send`. */
export const sendSchema = z.looseObject({
  message: messageSchema,
  configuration: z
    .looseObject({
      historyLength: historyLengthSchema,
      blocking: z.boolean().nullish(),
      pushNotificationConfig: z.unknown().optional(),
    })
    .optional(),
});

const intakeSchema = z.looseObject({
  skill: z.literal("prior_auth_intake"),
  practiceId: idText,
  taskId: uuidText.optional(),
  serviceReview: serviceReviewSchema,
  keepAttachments: z
    .array(z.string().regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in lower-case hex"))
    .max(filesPerRevisionMax)
    .optional(),
});

const voidSchema = z.looseObject({
  skill: z.literal("prior_auth_void"),
  practiceId: idText,
  taskId: uuidText,
  reason: textOf(reasonCharsMax).regex(/\S/, "must not be blank"),
});

/** The form of each skill's data object. */
export const skillSchemas = { prior_auth_intake: intakeSchema, prior_auth_void: voidSchema } as const;

type Message = z.output<typeof messageSchema>;
type Files = ReadonlyMap<number, ReceivedFile>;
type SkillRequest = {
  readonly message: Message;
  readonly data: Readonly<Record<string, unknown>>;
  readonly dataPath: string;
  readonly files: Files;
};
type ReadSkill = (request: SkillRequest) => Result<InboundMessage["ask"], readonly Issue[]>;

/** The skills that an agent may name. A new skill is a row here, with the form of its data. */
const skills: { readonly [Skill in InboundMessage["ask"]["skill"]]: ReadSkill } = {
  prior_auth_intake: readIntake,
  prior_auth_void: readVoid,
};

type Send = InboundMessage & { readonly wait: Wait | undefined };

/** Parses the params of `message/send`, with the canonical bytes and digest of the message. */
export function parseSend(params: unknown): Result<Send, readonly Issue[]> {
  const parsed = parseAt(sendSchema, params);
  if (!parsed.ok) return parsed;
  const { message, configuration } = parsed.value;
  const found = findData(message);
  if (!found.ok) return found;
  const files = readFiles(message.parts);
  if (!files.ok) return files;
  const request = { message, ...found.value, files: files.value };
  const named = readTaskId(request);
  if (!named.ok) return named;
  const ask = readSkillData(request, named.value);
  if (!ask.ok) return ask;
  // Safe because the schema has accepted this member. Its own copy is not used, because it may differ from what was sent.
  const kept = withReferences((params as { message: object }).message, files.value);
  const { body, contentDigest } = canonicalMessage(kept);
  if (body.length > messageBytesMax) return refuse(tooLong(message));
  const { historyLength = 0, blocking, pushNotificationConfig } = configuration ?? {};
  const { skill } = ask.value;
  const reading = { atom: skill, historyLength, unlessVersion: undefined, isAdvised: skill === "prior_auth_intake" };
  return ok({
    messageId: message.messageId,
    taskId: named.value,
    contextId: message.contextId,
    contentDigest,
    body,
    dataPath: request.dataPath,
    ask: ask.value,
    pushConfig: pushNotificationConfig ?? undefined,
    historyLength,
    wait: blocking === true ? { ms: blockingMsMax, until: "settled", reading } : undefined,
  });
}

/** Names the bytes that came where a body may be long for the sake of files, and are no file's. */
function tooLong({ parts }: Message): readonly Issue[] {
  const stray = parts.flatMap((part, index) =>
    part.kind !== "file" && typeof memberAt(part.file, "bytes") === "string"
      ? [{ path: `/message/parts/${index}/file/bytes`, problem: fileProblems.otherPart(messageBytesMax) }]
      : [],
  );
  return stray.length > 0 ? stray : [{ path: "/message", problem: messageProblems.messageBytesMax(messageBytesMax) }];
}

/** The only data part; every other part is a note to the reviewer or a file. */
function findData({ parts }: Message): Result<Pick<SkillRequest, "data" | "dataPath">, readonly Issue[]> {
  const found = parts.flatMap((part, index) => (part.kind === "data" ? [{ data: part.data, index }] : []));
  const [first, second] = found;
  if (!first || second) return refuse([{ path: "/message/parts", problem: "must hold exactly one data part" }]);
  return ok({ data: first.data, dataPath: `/message/parts/${first.index}/data` });
}

/** The task may be named in the message, as A2A does, or in the data, or in both with the same id. */
function readTaskId({ message, data, dataPath }: SkillRequest): Result<string | undefined, readonly Issue[]> {
  const path = `${dataPath}/taskId`;
  if (data.taskId === undefined) return ok(message.taskId);
  if (typeof data.taskId !== "string") return refuse([{ path, problem: "must be a string" }]);
  const taskId = lowerCaseUuid(data.taskId);
  if (message.taskId !== undefined && message.taskId !== taskId) {
    return refuse([{ path, problem: "is not the message's taskId" }]);
  }
  return ok(taskId);
}

function readSkillData(
  request: SkillRequest,
  taskId: string | undefined,
): Result<InboundMessage["ask"], readonly Issue[]> {
  const { skill } = request.data;
  const path = `${request.dataPath}/skill`;
  if (skill === undefined) return refuse([{ path, problem: "is required" }]);
  if (typeof skill !== "string" || !Object.hasOwn(skills, skill)) {
    return refuse([{ path, problem: `must be ${Object.keys(skills).join(" or ")}` }]);
  }
  return skills[skill as keyof typeof skills]({ ...request, data: { ...request.data, taskId } });
}

function readIntake({ message, data, dataPath, files }: SkillRequest): ReturnType<ReadSkill> {
  const parsed = parseAt(intakeSchema, data, dataPath);
  if (!parsed.ok) return parsed;
  const { practiceId, serviceReview, keepAttachments } = parsed.value;
  const { referenceTaskIds: references = [] } = message;
  const [earlierTaskId] = isRenewal(serviceReview) ? references : [];
  if (earlierTaskId !== undefined && references.length > 1) {
    const problem = "must name one task: the one that this request renews or extends";
    return refuse([{ path: "/message/referenceTaskIds", problem }]);
  }
  return ok({
    skill: "prior_auth_intake",
    practiceId,
    review: serviceReview,
    reviewBytes: canonicalBytes(data.serviceReview),
    files: distinctFiles(files),
    keepAttachments,
    earlierTaskId,
  });
}

function readVoid({ data, dataPath, files }: SkillRequest): ReturnType<ReadSkill> {
  if (files.size > 0) {
    return refuse(
      [...files.keys()].map((index) => ({ path: `/message/parts/${index}`, problem: "goes with no void" })),
    );
  }
  const parsed = parseAt(voidSchema, data, dataPath);
  if (!parsed.ok) return parsed;
  const { practiceId, taskId, reason } = parsed.value;
  return ok({ skill: "prior_auth_void", practiceId, taskId, reason });
}
