import { describe, expect, test } from "vitest";
import { form, replyTo, token } from "#test/support/payer/service-review/caller";
import { aSimulator } from "#test/support/payer/simulator";

describe("a token", () => {
  test("is asked for by client credentials, and lives for 300 s", async () => {
    const { url } = await aSimulator();
    expect(await (await token(url)).json()).toEqual({
      access_token: expect.any(String),
      token_type: "Bearer",
      expires_in: 300,
      scope: form.scope,
    });
  });

  test.each<[object, number]>([
    [{ grant_type: "password" }, 400],
    [{ scope: "" }, 400],
    [{ client_secret: "" }, 401],
    [{ client_id: "" }, 401],
  ])("is refused for %j", async (members, status) => {
    const { url } = await aSimulator();
    expect((await token(url, members)).status).toBe(status);
  });

  test("is refused to a client with another secret, and where the door is strict to a stranger", async () => {
    const { url, control } = await aSimulator({ isStrict: true });
    expect((await token(url)).status).toBe(401);
    await control("POST", "clients", { clientId: "client-1", secret: "s3cret" });
    expect((await token(url)).status).toBe(200);
    expect((await token(url, { client_secret: "other" })).status).toBe(401);
  });

  test.each<[string, string, object, number]>([
    ["in the header alone is given", "client-1:s3%3Acret", {}, 200],
    ["with another secret in the header is refused", "client-1:other", {}, 401],
    ["in the header and in the form is refused", "client-1:s3%3Acret", { client_id: "client-1" }, 400],
  ])("to a client that is named %s", async (_, named, members, status) => {
    const { url, control } = await aSimulator({ isStrict: true });
    await control("POST", "clients", { clientId: "client-1", secret: "s3:cret" });
    const body = new URLSearchParams({ grant_type: "client_credentials", scope: form.scope, ...members });
    const headers = { Authorization: `Basic ${Buffer.from(named).toString("base64")}` };
    expect((await fetch(`${url}/v1/token`, { method: "POST", headers, body })).status).toBe(status);
  });

  test.each<[string, Record<string, string>, number]>([
    ["no token", {}, 401],
    ["a token nobody gave out", { Authorization: "Bearer right" }, 401],
  ])("%s is refused at the door", async (_, headers, status) => {
    const { url } = await aSimulator();
    expect((await fetch(`${url}/v2/service-reviews/1`, { headers })).status).toBe(status);
  });

  test("for another product opens nothing", async () => {
    expect((await replyTo(await aSimulator(), "/v2/service-reviews/1", { scope: "other plan-demo" })).status).toBe(403);
  });
});

test.each([
  ["/v2/service-reviews", "DELETE", "GET, POST, PUT"],
  ["/v2/service-reviews/1", "PUT", "GET, DELETE"],
  ["/v1/token", "GET", "POST"],
])("%s has no %s", async (path, method, allowed) => {
  const { url } = await aSimulator();
  const reply = await fetch(`${url}${path}`, { method });
  expect([reply.status, reply.headers.get("Allow")]).toEqual([405, allowed]);
});
