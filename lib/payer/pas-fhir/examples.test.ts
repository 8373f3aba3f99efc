import { readFileSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { PayerAnswer, Inquiry } from "#lib/payer/connector";
import { example, exampleBytes } from "#test/support/payer/pas/example";
import { official as sent } from "#test/support/payer/pas/official";
import { answerOf, inquiryOf, standingOf } from "./answer.ts";
import { readNotification } from "./notification.ts";

type Json = Record<string, unknown>;

const known = { sentRequests: [sent], unconfirmed: false };

const reply = (body: unknown, status = 200) =>
  ({
    kind: "reply",
    status,
    contentType: "application/fhir+json",
    headers: {},
    retryAfterMs: undefined,
    bytes: body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body)),
  }) as const;

/** A ClaimResponse published on its own, in the bundle a payer would send it in. */
const wrapped = (resource: unknown) => ({
  resourceType: "Bundle",
  type: "collection",
  entry: [
    { fullUrl: "urn:uuid:1", resource },
    { fullUrl: sent.patientUrl, resource: { resourceType: "Patient", identifier: [{ value: sent.memberId }] } },
  ],
});

type ReadExample = { readonly as: string; readonly answer: PayerAnswer | Inquiry };

/** Reads one official file the way it would reach us; undefined for what is no answer. */
function readExample(name: string): ReadExample | undefined {
  const resource = example(name) as Json;
  const text = JSON.stringify(resource);
  if (resource["resourceType"] === "OperationOutcome")
    return { as: "`$submit`, HTTP 400", answer: answerOf(sent, reply(resource, 400)) };
  if (!text.includes('"resourceType":"ClaimResponse"')) return undefined;
  if (resource["type"] === "history") return { as: "notification", answer: pushed(name) };
  const body = resource["resourceType"] === "ClaimResponse" ? wrapped(resource) : resource;
  if (name.includes("Inquiry")) return { as: "`$inquire`", answer: inquiryOf(known, reply(body)) };
  return { as: "`$submit`", answer: answerOf(sent, reply(body)) };
}

function pushed(name: string): Inquiry {
  const read = readNotification(exampleBytes(name));
  const [bundle, ...others] = read.ok ? read.value.bundles : [];
  if (!bundle || others.length > 0) throw new Error("The official notification holds one bundle.");
  return standingOf(known, bundle);
}

function meaningOf({ answer }: ReadExample): string {
  const stated: PayerAnswer = answer.type === "match" ? answer.answer : (answer as PayerAnswer);
  if (stated.type === "decided") {
    const { outcome, authorizationNumber, validFrom, validTo, lines, humanReviewed } = stated.determination;
    return [
      `${outcome}: ${lines.map(({ sequence, action }) => `${sequence} ${action}`).join(", ")}`,
      ...(authorizationNumber ? [`number ${authorizationNumber}`] : []),
      ...(validFrom ? [`valid ${validFrom} to ${validTo}`] : []),
      ...(humanReviewed === undefined ? [] : [`reviewed by a person: ${humanReviewed ? "yes" : "no"}`]),
    ].join("; ");
  }
  if (stated.type === "accepted") return `pended; reference ${stated.reference}`;
  return stated.type === "rejected" ? `not processed, ${stated.correction}: ${stated.reason}` : stated.type;
}

const names = ["2.0.1", "2.2.1"].flatMap((version) =>
  readdirSync(new URL(`../../../test/vectors/pas/${version}/`, import.meta.url))
    .sort()
    .map((file) => `${version}/${file.replace(/\.json$/, "")}`),
);
const rows = names.flatMap((name) => {
  const read = readExample(name);
  return read ? [[name, read.as, meaningOf(read)]] : [];
});

describe("the official answers", () => {
  const page = readFileSync(new URL("../../../docs/pas-examples.md", import.meta.url), "utf8");
  const lines = page.split("\n").filter((line) => /^\| \d/.test(line));
  const written = lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

  test.each(rows)("%s, as %s, means what docs/pas-examples.md says", (...row) => {
    expect(written.find(([name]) => name === row[0])).toEqual(row);
  });

  test("are all in docs/pas-examples.md, and nothing else is", () => {
    expect(written.map(([name]) => name)).toEqual(rows.map(([name]) => name));
  });
});

test("the approved referral carries number, validity and what was authorized", () => {
  const bytes = exampleBytes("2.2.1/Bundle-ReferralAuthorizationResponseBundleExample");
  expect(answerOf(sent, reply(bytes))).toMatchObject({
    type: "decided",
    determination: {
      authorizationNumber: "AUTH0001",
      decidedAt: "2005-05-02T06:02:00.000Z",
      source: "connector",
      lines: [{ sequence: 1, number: "AUTH0001", authorized: { code: "3", quantity: 1 } }],
    },
  });
});

test("an item nobody asked for, as in the official additional content example, is a line of its own", () => {
  const resource = example("2.2.1/ClaimResponse-PractitionerRequestorAdditionalContentResponseExample");
  const answer = answerOf(sent, reply(wrapped(resource)));
  const authorized = { code: "3", quantity: 1, providers: ["1234567893"] };
  expect(answer.type === "decided" && answer.determination.lines).toEqual([
    {
      sequence: 1,
      action: "A1",
      requested: { code: "3" },
      authorized,
      number: "AUTH0001",
      reasons: [],
    },
    {
      sequence: 2,
      action: "A1",
      authorized: { ...authorized, from: "2005-05-02", to: "2005-05-10" },
      number: "AUTH0001",
      reasons: [],
    },
  ]);
});
