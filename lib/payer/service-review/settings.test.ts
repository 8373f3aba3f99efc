import { expect, test } from "vitest";
import { checkSettings, readSettings } from "./settings.ts";

const whole = { tokenUrl: "https://api.clearinghouse.test/v1/token", scope: "hipaa plan-demo", clientId: "client-1" };

test("a route with all three can be used, and reads back as it is", () => {
  expect(checkSettings(whole)).toEqual([]);
  expect(readSettings({ settings: whole })).toEqual({ ...whole, tokenAuth: "client_secret_post" });
});

test("a route that chooses nothing is told what it needs", () => {
  expect(checkSettings({})).toEqual(
    ["tokenUrl", "scope", "clientId"].map((name) => ({ name, problem: "is required" })),
  );
});

test("a client secret never goes over a network in clear, but to this machine itself", () => {
  expect(checkSettings({ ...whole, tokenUrl: "http://api.clearinghouse.test/v1/token" })).toEqual([
    {
      name: "tokenUrl",
      problem: "must be the https address of the token endpoint; plain http is only allowed on this machine",
    },
  ]);
  expect(checkSettings({ ...whole, tokenUrl: "http://127.0.0.1:4010/v1/token" })).toEqual([]);
});

test.each([
  [{ tokenUrl: "clearinghouse" }, ["tokenUrl"]],
  [{ tokenUrl: "ftp://clearinghouse.test/token" }, ["tokenUrl"]],
  [{ scope: "" }, ["scope"]],
  [{ scope: "two  spaces" }, ["scope"]],
  [{ clientId: "two words" }, ["clientId"]],
  [{ clientSecret: "s3cret" }, ["clientSecret"]],
  [{ tokenAuth: "private_key_jwt" }, ["tokenAuth"]],
  [{ clientCertificate: "bm8gY2VydGlmaWNhdGU=" }, ["clientCertificate"]],
])("%j is refused by the names of its settings", (settings, names) => {
  expect(checkSettings({ ...whole, ...settings }).map(({ name }) => name)).toEqual(names);
});
