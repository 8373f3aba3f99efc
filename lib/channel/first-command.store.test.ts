import { afterAll, expect, test } from "vitest";
import { aChannel, aPerson, aPractice, aRoute, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps } from "#test/support/agents/edge";
import { firstCommand } from "./first-command.ts";

const store = aStore();
afterAll(() => store.close());

test("the first command goes to a payer that answers by itself where there is one, and nothing is missing in it", async () => {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId, payerId: "10001", connector: "manual" });
  const { key, actor } = await aChannel(store, { practices: [practiceId] });
  const admin = await aPerson(store, { practices: [practiceId], roles: ["admin"] });
  const ask = async () => {
    const found = await firstCommand(admin, { channelId: actor.id, key, baseUrl: "http://127.0.0.1:3000" });
    return found.ok ? found.value : undefined;
  };
  expect(await ask()).toMatchObject({ kind: "manual-request", text: expect.stringContaining('"id":"10001"') });
  for (const connector of ["pas-fhir", "service-review"] as const) {
    await store.prisma.route.deleteMany({ where: { practiceId, payerId: "20002" } });
    await aRoute(store, { practiceId, payerId: "20002", connector });
    const command = await ask();
    expect(command?.kind).toBe("request");
    const [, body = ""] = /-d '(.*)'$/.exec(command?.text ?? "") ?? [];
    const { json } = await callEdge(edgeDeps(store), body, { key });
    expect(json.result).toMatchObject({ state: "transmit-held", metadata: {} });
    expect(json.result.missing ?? []).toEqual([]);
  }
});
