import { expect, test } from "vitest";
import { detailLines, type Line } from "./detail-lines.tsx";

const [person, channel] = ["01a1fbb2-36e9-7532-8343-cb01ecac22d3", "01a1fbb2-38e4-709b-bd96-baa86507fbcc"];
const names = new Map([
  [person, "Dana Whitfield"],
  [channel, "Night agent"],
  ["elm", "Elm Street Spine"],
]);

const textOf = ({ name, value, change }: Line) => {
  const shownText = (shown: Line["value"]) => (shown instanceof Date ? shown.toISOString() : (shown ?? "none"));
  return change ? `${name}: ${shownText(change.before)} to ${shownText(change.after)}` : `${name}: ${shownText(value)}`;
};

test.each<[act: string, detail: object, lines: readonly string[]]>([
  ["practice.renamed", { from: "Elm", to: "Oak" }, ["Name: Elm to Oak"]],
  [
    "practice.settings-changed",
    {
      from: { recallWindowS: 10, npi: null, timeZone: "UTC" },
      to: { recallWindowS: 60, npi: "1234567893", timeZone: "UTC" },
    },
    ["Undo window (seconds): 10 to 60", "Organization NPI: none to 1234567893"],
  ],
  [
    "practice.vote-rule-set",
    {
      from: { action: "transmit", risk: "high", votes: 1, stepUp: false },
      to: { action: "transmit", risk: "high", votes: 2, stepUp: true },
    },
    ["Submission with a warning: reviewers: 1 to 2", "Submission with a warning: verify identity: no to yes"],
  ],
  [
    "practice.noted-warnings-set",
    { from: ["no-attachment"], to: ["files-left", "old-note"] },
    [
      "Warnings without override reason added: Files not submitted, Old note",
      "Warnings without override reason removed: No attachment",
    ],
  ],
  [
    "channel.denied",
    { rule: "limit", count: 1, first: "2026-11-22T12:00:00.000Z", last: "2026-11-22T12:00:00.000Z" },
    ["Why: Over the rate limit"],
  ],
  [
    "channel.denied",
    { rule: "limit", count: 7, first: "2026-11-22T12:00:00.000Z", last: "2026-11-22T12:00:05.000Z" },
    ["Why: Over the rate limit", "Count: 7", "First: 2026-11-22T12:00:00.000Z", "Last: 2026-11-22T12:00:05.000Z"],
  ],
  ["practice.sso-only-set", { from: false, to: true }, ["Only single sign-on: no to yes"]],
  [
    "route.line-of-business-set",
    { payer: "P1", from: null, to: "chip-ffs" },
    ["Line of business: none to CHIP fee-for-service", "Payer: P1"],
  ],
  [
    "route.set",
    {
      payer: "P1",
      version: 2,
      connector: "pas-fhir",
      url: null,
      settings: { resend: "by-identity" },
      credential: true,
    },
    [
      "Payer: P1",
      "Version: 2",
      "Connection type: PAS FHIR",
      "If a submission may have arrived and isn't found: Submit again: the payer recognizes a request by its identifier",
      "Credential given: yes",
    ],
  ],
  ["channel.changed", { owner: { from: null, to: person } }, ["Owner: none to Dana Whitfield"]],
  [
    "channel.changed",
    { practices: { added: ["elm"], removed: [] }, atoms: { added: [], removed: ["tasks_get"] } },
    ["Practices added: Elm Street Spine", "Permissions removed: Read cases"],
  ],
  ["channel.changed", { callsPerSecond: { from: 50, to: null } }, ["Rate limit (calls per second): 50 to none"]],
  [
    "person.changed",
    { person, added: [{ role: "reviewer", practices: ["elm"] }], removed: [{ role: "admin", practices: "every" }] },
    ["Person: Dana Whitfield", "Added: reviewer in Elm Street Spine", "Removed: admin everywhere"],
  ],
  [
    "gate.released",
    { gate: "0".repeat(64), gateId: channel, revision: 1, from: "transmit-held", to: "transmit-released", version: 3 },
    ["State: Awaiting release to Released", "Revision: 1"],
  ],
  [
    "gate.released",
    { revision: 2, from: "transmit-held", to: "transmit-held", version: 3, needed: 2, votes: 1 },
    ["State: Awaiting release", "Revision: 2", "Votes: 1", "Needed: 2"],
  ],
  ["case.received", { revision: 1, to: "transmit-held" }, ["State: Awaiting release", "Revision: 1"]],
  ["case.assigned", { from: null, to: person }, ["Assigned to: none to Dana Whitfield"]],
  [
    "case.claim-taken-over",
    { until: "2026-11-22T08:00:00.000Z", from: person },
    ["From: Dana Whitfield", "Until: 2026-11-22T08:00:00.000Z"],
  ],
  ["channel.denied", { rule: "network", count: 3 }, ["Why: Address not on the IP allowlist", "Count: 3"]],
  ["channel.denied", { count: 1, from: "2026-11-22T12:00:00.000Z" }, []],
  ["channel.denied", { count: 4, from: "2026-11-22T12:00:00.000Z" }, ["Since: 2026-11-22T12:00:00.000Z", "Count: 4"]],
  ["report.exported", { table: "measures", year: 2026 }, ["Report: Payer measures", "Year: 2026"]],
  [
    "change.requested",
    { kind: "emergency-access-on", practiceId: "elm" },
    ["Kind: Emergency access", "Practice: Elm Street Spine"],
  ],
  ["channel.key-created", { overlap: "24h" }, ["Grace period for the old key: 24 hours"]],
  ["person.denied", { requested: "routes" }, ["Requested: Payer connections"]],
  ["person.signed-in", { session: channel, by: "totp" }, ["By: Authenticator app"]],
  [
    "someday.new",
    { someThing: { deep: [1, 2] }, odd: null, to: "toString" },
    ["State: none to toString", "Deep: 1, 2"],
  ],
])("what %s says is told in words: %j", (act, detail, lines) => {
  expect(detailLines(act, { ...detail }, names).map(textOf)).toEqual(lines);
});
