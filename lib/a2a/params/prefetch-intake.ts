import type { Prefetch } from "#lib/channel/store/admission";

/**
 * The practice and payer that a new intake probably names, from params that are not checked yet. Undefined for a message
 * that continues a task, because the task may belong to another practice than the one it names.
 */
export function prefetchIntake(params: unknown): Prefetch | undefined {
  const message = at(params, "message");
  const parts = at(message, "parts");
  if (!Array.isArray(parts) || at(message, "taskId") !== undefined) return undefined;
  const data = parts.map((part) => at(part, "data")).find((found) => found !== undefined);
  if (at(data, "taskId") !== undefined) return undefined;
  const practiceId = at(data, "practiceId");
  const payerId = at(at(at(data, "serviceReview"), "payer"), "id");
  const both = typeof practiceId === "string" && typeof payerId === "string";
  return both && isPlain(practiceId) && isPlain(payerId) ? { practiceId, payerId } : undefined;
}

/** Postgres accepts no NUL, and no id is longer. */
function isPlain(text: string): boolean {
  return text.length <= 64 && !text.includes("\0") && text.isWellFormed();
}

function at(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  // Safe because the line above found the member.
  return (value as Readonly<Record<string, unknown>>)[name];
}
