import type { Prefetch } from "#lib/channel/store/admission";
import { memberAt } from "./member-at.ts";

/**
 * The practice and payer that a new intake probably names, from params that are not checked yet. Undefined for a message
 * that continues a task, because the task may belong to another practice than the one it names.
 */
export function prefetchIntake(params: unknown): Prefetch | undefined {
  const message = memberAt(params, "message");
  const parts = memberAt(message, "parts");
  if (!Array.isArray(parts) || memberAt(message, "taskId") !== undefined) return undefined;
  const data = parts.map((part) => memberAt(part, "data")).find((found) => found !== undefined);
  if (memberAt(data, "taskId") !== undefined) return undefined;
  const practiceId = memberAt(data, "practiceId");
  const payerId = memberAt(memberAt(memberAt(data, "serviceReview"), "payer"), "id");
  const both = typeof practiceId === "string" && typeof payerId === "string";
  return both && isPlain(practiceId) && isPlain(payerId) ? { practiceId, payerId } : undefined;
}

/** Postgres accepts no NUL, and no id is longer. */
function isPlain(text: string): boolean {
  return text.length <= 64 && !text.includes("\0") && text.isWellFormed();
}
