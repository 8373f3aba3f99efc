import { createServer } from "node:http";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ConnectorName } from "#lib/payer/model/destination";
import { aBuild } from "#test/support/payer/pas/build";
import { aPayer, listening, noHurry } from "#test/support/payer/pas/listen";
import { aReviewBuild, transportTo } from "#test/support/payer/service-review/build";
import type { Build, InquiryRequest, Transport } from "./connector.ts";
import { connectors } from "./connectors.ts";

type Example = { readonly first: Build; readonly transport: Transport };

/** A first request over each connection type to a payer at `url`; one without an example does not compile. */
const examples: Readonly<Record<Exclude<ConnectorName, "manual">, (url: string) => Example>> = {
  "pas-fhir": (url) => {
    const first = aBuild({ url });
    return { first, transport: { credential: "right", route: first.destination, signal: noHurry() } };
  },
  "service-review": (url) => ({ first: aReviewBuild({ url }), transport: transportTo(url) }),
};

// Safe because the keys of this object are those names.
const wires = Object.keys(examples) as (keyof typeof examples)[];

const token = JSON.stringify({ access_token: "t", token_type: "Bearer", expires_in: 300 });

/** A payer that says this to everything but a request for a token. */
function answering(status: number, body: string, contentType: string): Promise<string> {
  return aPayer((request, response) => {
    request.resume();
    const isToken = request.url?.endsWith("/token");
    response.writeHead(isToken ? 200 : status, { "Content-Type": isToken ? "application/json" : contentType });
    response.end(isToken ? token : body);
  });
}

const bodies = fc.oneof(
  fc.constantFrom("", "null", "[]", "{}", "<html></html>", '{"resourceType":"Bundle","entry":[]}', "\u0000"),
  fc.json(),
);
const replies = fc.tuple(
  fc.constantFrom(200, 201, 202, 204, 301, 400, 404, 409, 422, 500, 502, 503),
  bodies,
  fc.constantFrom("application/json", "application/fhir+json", "text/html"),
);

describe.each(wires)("the connection type %s", (name) => {
  const connector = connectors[name];
  const exampleAt = examples[name];

  async function sent(url: string, transport: Partial<Transport> = {}) {
    const { first, transport: usual } = exampleAt(url);
    return (await connector.send(connector.build(first), { ...usual, ...transport })).answer;
  }

  test("has its own name, and refuses settings that it does not know by their name", () => {
    expect(connector.name).toBe(name);
    expect(connector.checkSettings({ nonsense: "1" })).toContainEqual({
      name: "nonsense",
      problem: "isn't a setting of this connection type",
    });
    for (const { name: setting } of connector.settings) expect(setting).toMatch(/^[a-z][A-Za-z]*$/);
  });

  test("builds the same bytes from the same input, and others for another request", () => {
    const { first } = exampleAt("https://payer.test/base");
    expect(connector.check(first.review)).toEqual([]);
    expect(connector.build(structuredClone(first))).toEqual(connector.build(first));
    const other = { ...first, review: { ...first.review, procedures: [{ code: "97112" }] } };
    expect(connector.build(other)).not.toEqual(connector.build(first));
    expect(connector.isManual(first)).toBe(false);
  });

  test("names what it needs of the smallest request by pointers into the review, and never throws over it", () => {
    const missing = connector.check({ payer: { id: "P1000" }, procedures: [{ code: "97110" }] });
    expect(missing.length).toBeGreaterThan(0);
    for (const pointer of missing) expect(pointer).toMatch(/^(?:\/[A-Za-z0-9]+)+$/);
  });

  test("has a person void what this connection did not submit", () => {
    const { first } = exampleAt("https://payer.test/base");
    const theVoid: Build = { ...first, action: "void", reason: "Surgery was cancelled." };
    expect(connector.isManual(theVoid)).toBe(true);
    expect(connector.build(theVoid)).toMatchObject([{ method: "MANUAL" }]);
  });

  test("where nobody listens, nothing was sent", async () => {
    const server = createServer();
    const url = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await sent(url)).toMatchObject({ type: "notSent" });
  });

  test("with an aborted signal, nothing was sent", async () => {
    const url = await answering(200, "{}", "application/json");
    expect(await sent(url, { signal: AbortSignal.abort() })).toMatchObject({ type: "notSent" });
  });

  test("a connection that breaks once the request was read leaves it unknown what became of it", async () => {
    const url = await aPayer((request, response) => {
      request.resume();
      if (request.url?.endsWith("/token") === true) response.setHeader("Content-Type", "application/json").end(token);
      else request.on("end", () => request.socket.destroy());
    });
    expect(await sent(url)).toMatchObject({ type: "unknown" });
  });

  test("no reply without sense is a decision, a void or proof that nothing arrived, and none throws", async () => {
    await fc.assert(
      fc.asyncProperty(replies, async ([status, body, contentType]) => {
        const url = await answering(status, status === 204 ? "" : body, contentType);
        const answer = await sent(url);
        expect(["unknown", "rejected"]).toContain(answer.type);
        if (status >= 500) expect(answer.type).toBe("unknown");
      }),
      { numRuns: 25 },
    );
  });

  test("no reply without sense to an inquiry is an answer to the case", async () => {
    await fc.assert(
      fc.asyncProperty(replies, async ([status, body, contentType]) => {
        const { first, transport } = exampleAt(await answering(status, status === 204 ? "" : body, contentType));
        const { action: _, reason: __, attachments: ___, ...of } = first;
        const request: InquiryRequest = { ...of, sent: connector.build(first), payerReference: "REF-1" };
        const { answer } = await connector.inquire(request, transport);
        expect(["none", "unknown", "unclear"]).toContain(answer.type);
      }),
      { numRuns: 25 },
    );
  });
});
