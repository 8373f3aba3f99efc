import { expect, test } from "vitest";
import { taskOfTrace, traceNumber, uuidOf } from "./trace.ts";

const taskId = "019335d2-7a1c-7c3d-8a4b-1c2d3e4f5a6b";

test("a trace number names task, revision and action, and fits X12 TRN02", () => {
  expect(traceNumber({ taskId, revision: 1, action: "transmit" })).toBe(`${taskId}-1-T`);
  expect(traceNumber({ taskId, revision: 1, action: "void" })).toBe(`${taskId}-1-V`);
  expect(traceNumber({ taskId, revision: 99_999, action: "transmit" }).length).toBeLessThanOrEqual(50);
});

test("what is asked for again after the payer refused it has another trace number", () => {
  const of = { taskId, revision: 999_999, action: "void" } as const;
  expect([0, 1, 2].map((refusals) => traceNumber({ ...of, refusals }))).toEqual([
    `${taskId}-999999-V`,
    `${taskId}-999999-V2`,
    `${taskId}-999999-V3`,
  ]);
  expect(traceNumber({ ...of, refusals: 999 }).length).toBeLessThanOrEqual(50);
});

test("a name always gives the same version 5 UUID, and another name another", () => {
  expect(uuidOf("one")).toBe(uuidOf("one"));
  expect(uuidOf("one")).not.toBe(uuidOf("two"));
  expect(uuidOf("one")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test("a trace number leads back to its task, and nothing else does", () => {
  for (const action of ["transmit", "void"] as const)
    for (const refusals of [0, 1, 12])
      expect(taskOfTrace(traceNumber({ taskId, revision: 12, action, refusals }))).toBe(taskId);
  for (const other of ["111099", "", taskId, `${taskId}-0-T`, `${taskId}-1-X`, `${taskId}-1-T `, `x${taskId}-1-T`])
    expect(taskOfTrace(other)).toBe(undefined);
});
