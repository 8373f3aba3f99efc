import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faults } from "#lib/a2a/reply/faults";
import { statusByState } from "#lib/a2a/reply/status";
import { channelKeyPattern } from "#lib/channel/channel-key";
import { atoms } from "#lib/access/model/actor";

const guide = readFileSync(new URL("../../docs/agent-guide.md", import.meta.url), "utf8");
const rows = guide
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );

test("the guide names every state, what A2A calls it and who moves next, in this order and no other", () => {
  const told = rows.filter(([, , by]) => ["agent", "reviewer", "service", "payer", "none"].includes(by ?? ""));
  const known = Object.entries(statusByState).map(([state, { status, by }]) => [`\`${state}\``, `\`${status}\``, by]);
  expect(told.map((row) => row.slice(0, 3))).toEqual(known);
});

test("the guide names every error with its message and HTTP status", () => {
  const told = rows.flatMap(([code, messages = "", statuses = ""]) =>
    messages.split(", ").flatMap((message) => statuses.split(", ").map((status) => `${code} ${message} ${status}`)),
  );
  for (const { code, message, http } of Object.values(faults)) expect(told).toContain(`${code} ${message} ${http}`);
});

test("the guide publishes the pattern that finds a channel key, as the code has it", () => {
  expect(guide).toContain(`\n${channelKeyPattern.source}\n`);
});

test("the guide names every atom", () => {
  const told = rows.map(([atom]) => atom);
  for (const atom of atoms) expect(told).toContain(`\`${atom}\``);
});
