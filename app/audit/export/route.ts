import { exportAuditLog } from "#lib/audit/export-audit-log";
import { isOwnOrigin } from "#lib/person/session/own-origin";
import { contextOf, currentPerson } from "#lib/person/session/person";
import { filterIn, filtersOf } from "../filter.ts";

const refusal = { headers: { "cache-control": "no-store" } };

/** The record as JSONL, streamed, of what this person may see and the form asks for. */
export async function POST(request: Request): Promise<Response> {
  if (!isOwnOrigin(request)) return new Response(null, { status: 403, ...refusal });
  const person = await currentPerson();
  const form = await request.formData().catch(() => undefined);
  const filter = filterIn(Object.fromEntries([...(form ?? [])].filter(([, value]) => typeof value === "string")));
  const found = person && form && (await exportAuditLog(contextOf(person), await filtersOf(filter)));
  if (!found?.ok) return new Response("Not found", { status: 404, ...refusal });
  const name = `audit-${filter.practice ?? "service"}-${new Date().toISOString().slice(0, 10)}.jsonl`;
  return new Response(streamOf(found.value), {
    headers: {
      "content-type": "application/jsonl",
      "content-disposition": `attachment; filename="${name}"`,
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    },
  });
}

/** Reads on as fast as the file is taken, so that memory stays small. */
function streamOf(lines: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const reading = lines[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(stream) {
      const next = await reading.next();
      if (next.done) stream.close();
      else stream.enqueue(encoder.encode(`${next.value}\n`));
    },
    async cancel() {
      await reading.return?.();
    },
  });
}
