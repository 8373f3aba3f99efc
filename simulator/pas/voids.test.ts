import { expect, test } from "vitest";
import { aFirstBundle } from "#test/support/payer/pas/bundles";
import { actionsOf, aVoidOf, forward, submit, submitTo, versions } from "#test/support/payer/pas/submissions";
import { aSimulator } from "#test/support/payer/simulator";

test.each(versions)("%s: a whole request is taken back at once", async (version) => {
  const simulator = await aSimulator();
  const first = aFirstBundle({ version });
  await submit(simulator, first, version);
  const { response } = await submit(simulator, aVoidOf(first, version), version);
  expect(response).toMatchObject({ outcome: "complete" });
  expect(actionsOf(response)).toEqual(["C", "C"]);
  expect(await simulator.ledger()).toMatchObject([{ state: "voided" }, { kind: "void", state: "voided" }]);
  const again = await submit(simulator, aVoidOf(first, version), version);
  expect(again.response).toMatchObject({ outcome: "error" });
});

test.each(versions)("%s: a void may take a minute of the payer's clock, or a hand", async (version) => {
  const simulator = await aSimulator();
  for (const how of ["clock", "hand"]) {
    const name = `${how}-${version}`;
    const first = aFirstBundle({ version, memberId: "M1-VOID-LATER", name });
    await submit(simulator, first, version);
    const theVoid = aVoidOf(first, version);
    expect(actionsOf((await submit(simulator, theVoid, version)).response)).toEqual(["A4", "A4"]);
    if (how === "clock") await forward(simulator, 61_000);
    else await simulator.control("POST", "decide", { trace: name, action: "C" });
    expect(actionsOf((await submit(simulator, theVoid, version)).response)).toEqual(["C", "C"]);
  }
});

test.each(versions)("%s: a void that is refused leaves the case as it was", async (version) => {
  const simulator = await aSimulator();
  const first = aFirstBundle({ version, memberId: "M1-PEND-VOID-NO" });
  await submit(simulator, first, version);
  const refused = await submit(simulator, aVoidOf(first, version), version);
  expect(refused.response).toMatchObject({ outcome: "error", error: [{ code: { coding: [{ code: "33" }] } }] });
  expect(actionsOf((await submit(simulator, first, version)).response)).toEqual(["A4", "A4"]);
});

test("a case is one case whichever version its messages are in", async () => {
  const simulator = await aSimulator();
  const first = aFirstBundle({ memberId: "M1-PEND" });
  await submit(simulator, first, "2.2.1");
  const theVoid = aVoidOf(first, "2.0.1");
  expect(actionsOf((await submit(simulator, theVoid, "2.0.1")).response)).toEqual(["C", "C"]);
  expect((await simulator.ledger()).map(({ path }) => path)).toEqual([submitTo["2.2.1"], submitTo["2.0.1"]]);
});
