import { expect, test } from "vitest";
import { failureSentence } from "./failure-sentence.ts";

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
