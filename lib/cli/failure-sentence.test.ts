import { expect, test } from "vitest";
import { ArchivedValueLostError } from "#lib/db/archived";
import { ArchiveAwayError } from "#lib/db/object-store";
import { failureSentence } from "./failure-sentence.ts";

test("the archive's failures are told as what they are, with what to run", () => {
  expect(failureSentence(new ArchiveAwayError("it answered HTTP 503"))).toMatch(/HTTP 503.*`archive status`/);
  expect(failureSentence(new ArchivedValueLostError("missing"))).toMatch(/missing.*archive verify/);
});

test.each([
  [Object.assign(new Error("secret"), { code: "ECONNREFUSED" }), "does not answer (ECONNREFUSED)"],
  [new AggregateError([Object.assign(new Error("secret"), { code: "ECONNREFUSED" })]), "does not answer"],
  [
    Object.assign(new Error("secret"), {
      code: "P2010",
      meta: { driverAdapterError: { cause: { originalCode: "42P01" } } },
    }),
    "tables are not those",
  ],
  [
    Object.assign(new Error("secret"), { cause: Object.assign(new Error("secret"), { code: "28P01" }) }),
    "refuses this login",
  ],
  [Object.assign(new Error("secret"), { code: "no code; secret" }), "failed on our side (Error)"],
  ["secret", "failed on our side"],
])("a failure is told by its code, never by its message (%#)", (error, expected) => {
  expect(failureSentence(error)).toContain(expected);
  expect(failureSentence(error)).not.toContain("secret");
});
