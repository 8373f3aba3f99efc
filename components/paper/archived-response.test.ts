import { expect, test, vi } from "vitest";
import { fetchArchived } from "#lib/db/archived";
import type { ObjectStore } from "#lib/db/object-store";
import { archiveFailureOf } from "#lib/platform/outbound/archive-away";
import { noArchive } from "#test/support/servers/archives";
import { archivedResponse } from "./archived-response.tsx";

const reference = { digest: "a".repeat(64), bytes: 100 };
const put = async () => undefined;

/** An answer that needs an archived value. */
async function answered(archive: ObjectStore | undefined) {
  const error = vi.fn<(line: object) => void>();
  const answer = await archivedResponse({ log: { error }, failureOf: archiveFailureOf }, async () => {
    await fetchArchived(archive, "practice", reference);
    return new Response("whole");
  });
  return { answer, text: await answer.text(), logged: error.mock.calls };
}

test.each([undefined, noArchive()])(
  "a document is answered with 503 and Retry-After while the archive is away, and the cause is logged (%#)",
  async (archive) => {
    const { answer, text, logged } = await answered(archive);
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(text).toContain("is archived and can't be read right now");
    expect(logged).toHaveLength(1);
  },
);

test("a document that the archive lost is said to be lost, and not to be asked for again", async () => {
  const empty = {
    name: "empty",
    put,
    get: async () => undefined,
    trouble: async () => undefined,
    prove: async () => undefined,
  };
  const { answer, text } = await answered(empty);
  expect(answer.status).toBe(500);
  expect(answer.headers.has("retry-after")).toBe(false);
  expect(text).toContain("the archive has lost or changed it");
});

test("what else fails is thrown on", async () => {
  const answering = archivedResponse(
    { log: { error: vi.fn<(line: object) => void>() }, failureOf: archiveFailureOf },
    () => Promise.reject(new Error("of another kind")),
  );
  await expect(answering).rejects.toThrow("of another kind");
});
