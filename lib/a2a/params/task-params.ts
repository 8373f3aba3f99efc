import { z } from "zod";
import type { Result } from "#lib/platform/result";
import { ok } from "#lib/platform/result";
import type { Prefetch } from "#lib/channel/store/admission";
import { isUuid } from "#lib/task/store/load-task";
import { historyLengthMax } from "#lib/task/message-history";
import type { Issue } from "#lib/task/refusal";
import { parseAt } from "./issues.ts";

/** How many of the last messages the reply includes; none when absent. */
export const historyLengthSchema = z.int("must be a whole number").min(0, "must not be negative").optional();

const getSchema = z.object({ id: z.string(), historyLength: historyLengthSchema });
const cancelSchema = z.object({ id: z.string(), metadata: z.looseObject({}).optional() });

export function parseGet(params: unknown): Result<{ taskId: string; historyLength: number }, readonly Issue[]> {
  const parsed = parseAt(getSchema, params);
  if (!parsed.ok) return parsed;
  const { id, historyLength } = parsed.value;
  return ok({ taskId: id, historyLength: historyLength ?? 0 });
}

export function parseCancel(params: unknown): Result<{ taskId: string }, readonly Issue[]> {
  const parsed = parseAt(cancelSchema, params);
  return parsed.ok ? ok({ taskId: parsed.value.id }) : parsed;
}

/** The task that a get or a cancel probably names, from params that are not checked yet. */
export function prefetchTask(params: unknown): Prefetch | undefined {
  if (typeof params !== "object" || params === null || !("id" in params)) return undefined;
  const { id } = params;
  return typeof id === "string" && isUuid(id) ? { taskId: id } : undefined;
}

/** The same, with as many messages as the reply to a get will probably include. */
export function prefetchTaskHistory(params: unknown): Prefetch | undefined {
  const prefetch = prefetchTask(params);
  if (!prefetch || typeof params !== "object" || params === null || !("historyLength" in params)) return prefetch;
  const { historyLength: length } = params;
  const isLength = typeof length === "number" && Number.isSafeInteger(length) && length > 0;
  return isLength ? { ...prefetch, historyLength: Math.min(length, historyLengthMax) } : prefetch;
}
