import { expect, test } from "vitest";
import type { AdminRefusal } from "#lib/access/refusal";
import { refusalText } from "./cli.ts";

const refusals: readonly AdminRefusal[] = [
  { type: "not-authorised" },
  { type: "not-found", what: "practice" },
  { type: "not-found", what: "channel" },
  { type: "not-found", what: "key" },
  { type: "not-found", what: "person" },
  { type: "invalid", issues: [{ field: "payerId", problem: "must not be empty" }] },
  { type: "invalid", issues: [{ field: "settings.scope", problem: "is required" }] },
  {
    type: "invalid",
    issues: [
      { field: "name", problem: "is a" },
      { field: "password", problem: "is b" },
    ],
  },
  { type: "taken", what: "practice" },
  { type: "taken", what: "email" },
  { type: "two-live-keys" },
  { type: "keys-changed" },
  { type: "account-deactivated" },
  { type: "admin-exists" },
  { type: "proof-needed" },
];

test("every refusal is a sentence with what to do instead", () => {
  expect(refusals.map(refusalText).join("\n")).toMatchInlineSnapshot(`
    "Only an admin can do this.
    There is no such practice: \`practice list\` shows what there is.
    There is no such channel: \`channel list\` shows what there is.
    There is no such key: \`channel list\` shows what there is.
    There is no such person: \`person list\` shows what there is.
    --payer must not be empty. Correct it and run this again.
    --setting scope is required. Correct it and run this again.
    --name is a; The password on standard input is b. Correct it and run this again.
    A practice with this id exists already: choose another --id.
    A person with this email exists already: choose another --email.
    The channel has two active keys already: revoke one, or add --revoke-old to revoke the oldest.
    The channel's keys changed in the meantime: look at \`channel list\`, then run this again.
    This account is deactivated: reactivate it with \`person reactivate\` first.
    There is an admin already: create others with \`person create --roles admin\`.
    Verify your identity on the page; the command line can't."
  `);
});
