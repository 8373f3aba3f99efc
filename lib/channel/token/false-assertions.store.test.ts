import { v7 as uuidv7 } from "uuid";
import { afterAll, expect, test } from "vitest";
import { setChannelClient } from "#lib/channel/set-channel-client";
import { done, operator } from "#test/support/people/admin";
import { aChannel, aPractice, aStore } from "#test/support/cases/cases";
import { edgeDeps } from "#test/support/agents/edge";
import { listening } from "#test/support/servers/served";
import { aSigner, signed } from "#test/support/agents/signers";
import { tokenServer } from "#test/support/agents/token-server";
import { countFalseAssertions, type AssertionSource } from "./false-assertions.ts";

const burst = 50;
const store = aStore();
afterAll(() => store.close());

/** How many of these are looked at, one after another. */
function looked(count: number, one: () => number): number {
  return Array.from({ length: count }, one).filter((wait) => wait === 0).length;
}

test("one address has a burst of false assertions checked, then a few a second; other addresses are not affected", () => {
  const { count } = countFalseAssertions(() => undefined);
  const [here, there]: [AssertionSource, AssertionSource] = [
    { from: "a", clientId: undefined },
    { from: "b", clientId: undefined },
  ];
  expect(looked(1_000, () => count(here, 0))).toBe(burst);
  expect(looked(1_000, () => count(here, 1_000))).toBe(5);
  expect(count(there, 1_000)).toBe(0);
});

test("valid assertions are not counted, and their sender is not slowed by strangers at its address", () => {
  const { count, forgive } = countFalseAssertions(() => undefined);
  const [known, stranger]: [AssertionSource, AssertionSource] = [
    { from: "a", clientId: "known" },
    { from: "a", clientId: "stranger" },
  ];
  const right = () => {
    const wait = count(known, 0);
    if (wait === 0) forgive(known);
    return wait;
  };
  expect(looked(200, right)).toBe(200);
  expect(looked(200, () => count(stranger, 0))).toBe(burst);
  expect(looked(200, right)).toBe(200);
  expect(looked(200, () => count({ from: "b", clientId: "known" }, 0))).toBe(burst);
});

test("past the limit of an address no more assertions are checked, and a client that proved itself there gets its token", async () => {
  const tokenUrl = "https://pa.example.org/api/token";
  const server = tokenServer(edgeDeps(store), tokenUrl);
  const url = await listening(server);
  const { id: channelId } = (await aChannel(store, { practices: [await aPractice(store)] })).actor;
  const signer = await aSigner();
  const { clientId } = await done(setChannelClient({ actor: operator, store }, { channelId, jwks: signer.jwks }));
  const exp = Math.floor(Date.now() / 1_000) + 240;
  const assertionOf = (id: string, by = signer) => signed(by, { iss: id, sub: id, aud: tokenUrl, jti: uuidv7(), exp });
  const ask = async (assertion: string) => {
    const body = new URLSearchParams({
      grant_type: "client_credentials",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
    });
    const { status, headers } = await fetch(`${url}/api/token`, { method: "POST", body });
    return { status, wait: headers.get("retry-after") };
  };
  const right = async () => ask(await assertionOf(clientId));
  expect((await right()).status).toBe(200);
  const forged = await assertionOf("AAAAAAAAAA", await aSigner());
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask(forged)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  expect(answers.filter(({ status, wait }) => status === 429 && !(Number(wait) > 0))).toEqual([]);
  expect((await right()).status).toBe(200);
  server.closeAllConnections();
  server.close();
});
