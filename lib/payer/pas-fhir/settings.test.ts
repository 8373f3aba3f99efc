import { expect, test } from "vitest";
import { checkSettings, readSettings } from "./settings.ts";

test("a route that chooses nothing speaks 2.2.1 with a bearer, and asks by itself", () => {
  expect(checkSettings({})).toEqual([]);
  expect(readSettings({ settings: {} })).toEqual({
    version: "2.2.1",
    auth: "bearer",
    resend: "never",
    subscription: "none",
    subscriptionFilter: "orgIdentifier",
  });
});

test.each([
  [{ version: "2.0.1" }],
  [{ auth: "smart", clientId: "practice-1" }],
  [{ auth: "smart", tokenUrl: "https://payer.test/token", clientId: "practice-1", keyId: "k1", scope: "system/*.*" }],
  [{ resend: "by-identity" }],
  [{ subscription: "rest-hook", senderId: "1234567893" }],
  [{ subscription: "rest-hook", senderId: "1234567893", subscriptionFilter: "org-identifier" }],
  [{ memberIdSystem: "urn:oid:2.16.840.1.113883.3.1", payerIdSystem: "https://payer.test/ids" }],
])("%j can be used, and reads back as it is", (settings) => {
  expect(checkSettings(settings)).toEqual([]);
  expect(readSettings({ settings })).toMatchObject(settings);
});

test.each([
  [{ version: "1.1.0" }, ["version"]],
  [{ auth: "basic" }, ["auth"]],
  [{ auth: "smart" }, ["clientId"]],
  [{ auth: "smart", tokenUrl: "payer", clientId: "two words" }, ["tokenUrl", "clientId"]],
  [{ tokenUrl: "ftp://payer.test/token" }, ["tokenUrl"]],
  [{ scope: "" }, ["scope"]],
  [{ subscription: "rest-hook" }, ["senderId"]],
  [{ memberIdSystem: "members", payerIdSystem: "urn:two words" }, ["memberIdSystem", "payerIdSystem"]],
  [{ colour: "red" }, ["colour"]],
])("%j is refused by the names of its settings", (settings, names) => {
  const problems = checkSettings(settings);
  expect(problems.map(({ name }) => name)).toEqual(names);
  expect(problems.every(({ problem }) => problem !== "")).toBe(true);
  expect(() => readSettings({ settings })).toThrow("settings its connector can use");
});
