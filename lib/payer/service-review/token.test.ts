import { expect, test } from "vitest";
import { aReviewBuild, transportTo } from "#test/support/payer/service-review/build";
import { aClearinghouse, marked, type Request } from "#test/support/payer/service-review/clearinghouse";
import { serviceReview } from "./connector.ts";

const taken = { status: 202, headers: { ...marked, Location: "/v2/service-reviews/SR-1" } };
const send = async (url: string) =>
  (await serviceReview.send(serviceReview.build(aReviewBuild({ url })), transportTo(url))).answer;

test("the client's id, secret and scope are exchanged for a token as the contract's form has them", async () => {
  const { url, forms } = await aClearinghouse(() => taken);
  await send(url);
  expect(forms).toEqual([
    "grant_type=client_credentials&client_id=client-1&client_secret=s3cret&scope=healthcare-hipaa-transactions+plan-demo",
  ]);
});

test("two sends at once fetch one token, which the next ones use", async () => {
  const { url, forms, seen } = await aClearinghouse(() => taken);
  const answers = [...(await Promise.all([send(url), send(url)])), await send(url)];
  expect(answers.map(({ type }) => type)).toEqual(["accepted", "accepted", "accepted"]);
  expect([forms.length, new Set(seen.map(({ headers }) => headers.authorization))]).toEqual([
    1,
    new Set(["Bearer token-1"]),
  ]);
});

test("another secret has a token of its own", async () => {
  const { url, forms } = await aClearinghouse(() => taken);
  await send(url);
  await serviceReview.send(serviceReview.build(aReviewBuild({ url })), transportTo(url, { credential: "other" }));
  expect(forms).toHaveLength(2);
});

const bearerIs = (token: string) => (request: Request) =>
  request.headers.authorization === `Bearer ${token}` ? taken : { status: 401 };

test("a token that ended early is fetched anew once, and the same bytes go again", async () => {
  const { url, seen, forms } = await aClearinghouse(bearerIs("token-2"));
  expect(await send(url)).toMatchObject({ type: "accepted" });
  expect([forms.length, seen.length, new Set(seen.map(({ body }) => body)).size]).toEqual([2, 2, 1]);
});

test("a payer that refuses a fresh token as well was sent nothing", async () => {
  const { url, seen, forms } = await aClearinghouse(() => ({ status: 401 }));
  expect(await send(url)).toMatchObject({ type: "notSent" });
  expect([forms.length, seen.length]).toEqual([2, 2]);
});

test("where no token is had nothing is sent, and the reason holds no secret", async () => {
  const { url, seen } = await aClearinghouse(() => taken);
  const { route, ...transport } = transportTo(url);
  const settings = { ...route?.settings, tokenUrl: "http://127.0.0.1:1/v1/token" };
  const { answer } = await serviceReview.send(serviceReview.build(aReviewBuild({ url })), {
    ...transport,
    route: { environment: "test", settings },
  });
  expect(answer).toMatchObject({ type: "notSent" });
  expect(JSON.stringify(answer)).not.toContain("s3cret");
  expect(seen).toEqual([]);
});

test("where the header is chosen, id and secret are in it alone, each form-encoded", async () => {
  const { url, forms, tokenHeaders } = await aClearinghouse(() => taken);
  const { route, ...transport } = transportTo(url, { credential: "s3:cret &" });
  const settings = { ...route?.settings, tokenAuth: "client_secret_basic" };
  await serviceReview.send(serviceReview.build(aReviewBuild({ url })), {
    ...transport,
    route: { environment: "test", settings },
  });
  expect(forms).toEqual(["grant_type=client_credentials&scope=healthcare-hipaa-transactions+plan-demo"]);
  const [, encoded = ""] = tokenHeaders[0]?.authorization?.split(" ") ?? [];
  expect(Buffer.from(encoded, "base64").toString()).toBe("client-1:s3%3Acret+%26");
});
