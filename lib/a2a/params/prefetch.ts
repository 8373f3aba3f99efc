import type { Prefetch } from "#lib/channel/store/admission";

/**
 * The practice and payer a new intake is likely to be about, from params nobody
 * has checked yet. A message that continues a task needs every practice the
 * channel reaches, since the task's may be another than the one it names.
 */
export function prefetchForParams(params: unknown): Prefetch | undefined {
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

/** Postgres takes no NUL, and nothing longer can name anything. */
function isPlain(text: string): boolean {
  return text.length <= 64 && !text.includes("\0") && text.isWellFormed();
}

function at(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  // Safe because the member was just seen to be there.
  return (value as Readonly<Record<string, unknown>>)[name];
}
