import { z } from "zod";
import { ok, type Result } from "#lib/platform/result";
import type { TaskPrefetch } from "#lib/channel/store/admission";
import { messageIdCharsMax, waitSecondsMax } from "#lib/a2a/admit/limits";
import type { Wait } from "#lib/a2a/wait";
import { isUuid, lowerCaseUuid } from "#lib/platform/uuid";
import { historyLengthMax } from "#lib/task/message-history";
import type { RecordCache } from "#lib/task/record-cache";
import type { Issue } from "#lib/task/refusal";
import { parseAt } from "./issues.ts";
import { memberAt } from "./requested-access.ts";

/** How many of the last messages the reply includes; none when absent. */
export const historyLengthSchema = z.int("must be a whole number").min(0, "must not be negative").optional();

/** The id of a task or a context, which names the same one in either case. */
export const uuidText = z.string().overwrite(lowerCaseUuid);

/** Our own members of A2A's metadata. Others are the client's, and nothing is done with them. */
const getMetadataSchema = z
  .looseObject({
    waitSeconds: z
      .number()
      .min(0, "must not be negative")
      .max(waitSecondsMax, `must be at most ${waitSecondsMax}`)
      .optional(),
    unlessVersion: z.int("must be a whole number").min(0, "must not be negative").optional(),
    historyAfter: z.string().max(messageIdCharsMax, `must be at most ${messageIdCharsMax} characters`).optional(),
  })
  .refine(({ waitSeconds, unlessVersion }) => waitSeconds === undefined || unlessVersion !== undefined, {
    path: ["unlessVersion"],
    message: "is required beside waitSeconds: name the version that you have",
  });

const getSchema = z.object({
  id: uuidText,
  historyLength: historyLengthSchema,
  metadata: getMetadataSchema.nullish(),
});
const cancelSchema = z.object({ id: uuidText, metadata: z.looseObject({}).optional() });

/** The form of the params of each method that names a task. */
export const taskSchemas = { get: getSchema, cancel: cancelSchema } as const;

type Get = {
  readonly taskId: string;
  readonly historyLength: number;
  readonly historyAfter: string | undefined;
  readonly unlessVersion: number | undefined;
  readonly wait: Wait | undefined;
};

export function parseGet(params: unknown): Result<Get, readonly Issue[]> {
  const parsed = parseAt(getSchema, params);
  if (!parsed.ok) return parsed;
  const { id, metadata } = parsed.value;
  const { waitSeconds = 0, unlessVersion, historyAfter } = metadata ?? {};
  const historyLength = parsed.value.historyLength ?? (historyAfter === undefined ? 0 : historyLengthMax);
  const wanted = { historyLength, historyAfter, unlessVersion };
  const wait: Wait = { ms: waitSeconds * 1_000, until: "changed", reading: { atom: "tasks_get", ...wanted } };
  return ok({ taskId: id, ...wanted, wait: waitSeconds > 0 ? wait : undefined });
}

export function parseCancel(params: unknown): Result<{ taskId: string }, readonly Issue[]> {
  const parsed = parseAt(cancelSchema, params);
  return parsed.ok ? ok({ taskId: parsed.value.id }) : parsed;
}

/** The task that a get or a cancel probably names, from params that are not checked yet. */
export function prefetchTask(params: unknown): TaskPrefetch | undefined {
  if (typeof params !== "object" || params === null || !("id" in params)) return undefined;
  const { id } = params;
  return typeof id === "string" && isUuid(id) ? { taskId: lowerCaseUuid(id) } : undefined;
}

/** Whose call it is, and the last answers to polls. */
export type PrefetchFrom = { readonly keyId: string; readonly records: RecordCache | undefined };

/** The same, with as many messages as the reply to a get will probably include, and the last answer to this poll. */
export function prefetchTaskHistory(params: unknown, { keyId, records }: PrefetchFrom): TaskPrefetch | undefined {
  const prefetch = prefetchTask(params);
  // Messages after a given one take a statement of their own.
  if (!prefetch || isAfterMessage(memberAt(params, "metadata"))) return prefetch;
  const length = memberAt(params, "historyLength");
  const isLength = typeof length === "number" && Number.isSafeInteger(length) && length > 0;
  const historyLength = isLength ? Math.min(length, historyLengthMax) : 0;
  return { ...prefetch, historyLength, known: records?.find({ keyId, taskId: prefetch.taskId, historyLength }) };
}

function isAfterMessage(metadata: unknown): boolean {
  return typeof metadata === "object" && metadata !== null && "historyAfter" in metadata;
}
