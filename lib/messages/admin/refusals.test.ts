import { expect, test } from "vitest";
import type { AdminRefusal } from "#lib/access/refusal";
import { refusalMessage } from "./refusals.ts";

const refusals: readonly AdminRefusal[] = [
  { type: "not-authorised" },
  { type: "not-found", what: "route" },
  { type: "taken", what: "practice" },
  { type: "two-live-keys" },
  { type: "keys-changed" },
  { type: "proof-needed" },
  { type: "no-practices" },
];

test("every refusal says what happened and what to do", () => {
  expect(refusals.map((refusal) => refusalMessage(refusal).alert).join("\n")).toMatchInlineSnapshot(`
    "Only an admin can do this. Nothing was saved.
    This payer connection doesn't exist. Nothing was saved.
    This practice ID is already in use. Choose another.
    This channel has two active keys, the most it can have. Revoke one first.
    The keys changed since you opened this page, so nothing was saved. The list now shows the current keys.
    Verify your identity first, under Sign-in and security on your account page. Nothing was saved.
    No practice selected. The agent can't send anything until the channel can access a practice."
  `);
});

test("a field's first problem stands beside the field, and the alert names the fields", () => {
  const issues = [
    { field: "name", problem: "must not be empty" },
    { field: "name", problem: "must be one line" },
    { field: "settings.clientId", problem: "is required" },
  ];
  expect(refusalMessage({ type: "invalid", issues })).toEqual({
    alert: "Nothing was saved. Check these fields: Name and Client ID.",
    problems: { name: "Must not be empty.", "settings.clientId": "Is required." },
  });
});
