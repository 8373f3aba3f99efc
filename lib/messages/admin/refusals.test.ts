import { expect, test } from "vitest";
import type { AdminRefusal } from "#lib/access/refusal";
import { refusalMessage } from "./refusals.ts";

const refusals: readonly AdminRefusal[] = [
  { type: "not-authorised" },
  { type: "not-found", what: "channel" },
  { type: "taken", what: "practice" },
  { type: "taken", what: "channel" },
  { type: "taken", what: "email" },
  { type: "two-live-keys" },
  { type: "keys-changed" },
  { type: "admin-exists" },
  { type: "proof-needed" },
];

test("every refusal is a sentence for a page", () => {
  expect(refusals.map((refusal) => refusalMessage(refusal).alert).join("\n")).toMatchInlineSnapshot(`
    "Only an administrator may do this. Nothing was done.
    This channel is not there. Nothing was done.
    A practice with this id exists already. Choose another id.
    This channel is made already, and its key was shown then. If it was lost, make another on the channel's page.
    A person with this email exists already. Choose another.
    There are two live keys, and never a third. Revoke one first.
    The keys changed after this page was drawn, so nothing was done. They are shown here as they are now.
    There is an administrator already.
    Nothing was done yet: prove first that it is you, at Sign-in and security on your account's page."
  `);
});

test("a field's first problem stands by the field, and all of them in the alert", () => {
  const issues = [
    { field: "name", problem: "must not be empty" },
    { field: "name", problem: "must be one line" },
    { field: "atoms", problem: "must hold at least one atom" },
  ];
  expect(refusalMessage({ type: "invalid", issues })).toEqual({
    alert:
      "Nothing was done: the name must not be empty; the name must be one line; the list of what it may do must hold at least one atom.",
    problems: { name: "Must not be empty.", atoms: "Must hold at least one atom." },
  });
});
