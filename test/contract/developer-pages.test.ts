import { readFileSync, readdirSync } from "node:fs";
import { format, resolveConfig } from "prettier";
import { expect, test } from "vitest";
import { parseSend } from "#lib/a2a/params/send-params";
import { parseCancel, parseGet } from "#lib/a2a/params/task-params";
import { faults } from "#lib/a2a/reply/faults";
import { statusByState } from "#lib/a2a/reply/status";
import { bodyWithFilesMs, waits, waitSecondsMax } from "#lib/a2a/admit/limits";
import { bodyMs } from "#lib/platform/http/body-limits";
import { atoms } from "#lib/access/model/actor";
import { callsPerSecondDefault } from "#lib/channel/channel-limits";
import { channelKeyPattern } from "#lib/channel/channel-key";
import { groups, markdownOf, pageOf } from "#lib/developers/pages";
import { example, fields, notSentBy } from "#lib/developers/service-review-page";
import { serviceReviewTypes } from "#lib/developers/typescript";
import { fieldText } from "#lib/messages/agent/fields";
import { historyLengthMax } from "#lib/task/message-history";
import { filesPerRevisionMax } from "#lib/task/model/attachment";
import { serviceReviewSchema } from "#lib/task/model/service-review";

const pages = groups.flatMap((group) => group.pages);
const textOf = (slug: string) => {
  const page = pageOf(slug);
  if (!page) throw new Error(`There is no page ${slug}.`);
  return markdownOf(page, "http://localhost:3000");
};
const rowsOf = (slug: string) =>
  textOf(slug)
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );

test("every guide of the repository is a page, and begins with its title", () => {
  const files = readdirSync("docs/developers").map((name) => name.replace(/\.md$/, ""));
  expect(files.filter((slug) => pageOf(slug) === undefined)).toEqual([]);
  for (const { slug, title } of pages) expect(textOf(slug).split("\n", 1)).toEqual([`# ${title}`]);
});

test("every member of a service review is described, and its example is one that the service accepts", () => {
  expect(fields.map(({ pointer }) => pointer).filter((pointer) => fieldText(pointer) === undefined)).toEqual([]);
  expect(serviceReviewSchema.safeParse(example()).error).toBeUndefined();
  const named = rowsOf("service-review").map(([name]) => name?.replace(" (required)", ""));
  for (const { pointer } of fields) expect(named).toContain(`\`${pointer.slice(1).replaceAll("/", ".")}\``);
});

test("the members that a wire has no place for are those its connector leaves out", () => {
  expect(notSentBy("/coverage/groupNumber")).toEqual(["service-review"]);
  expect(notSentBy("/procedures[]/unitPrice")).toEqual(["service-review"]);
  expect(notSentBy("/patient/birthDate")).toEqual([]);
});

test("the pages name every state, every error with its message and HTTP status, and every atom", () => {
  const states = rowsOf("states").map((row) => row.slice(0, 3));
  for (const [state, { status, by }] of Object.entries(statusByState))
    expect(states).toContainEqual([`\`${state}\``, `\`${status}\``, by]);
  const errors = rowsOf("errors").map((row) => row.slice(0, 3).join(" "));
  for (const { code, message, http } of Object.values(faults)) expect(errors).toContain(`${code} ${message} ${http}`);
  const told = rowsOf("security").map(([atom]) => atom);
  for (const atom of atoms) expect(told).toContain(`\`${atom}\``);
});

test("the pages publish the pattern that finds a channel key, as the code has it", () => {
  expect(textOf("security")).toContain(`\n${channelKeyPattern.source}\n`);
});

test("the pages state the limits that hold", () => {
  const limits = Object.fromEntries(rowsOf("limits"));
  expect(limits).toMatchObject({
    "calls of a channel that wait at once": waits.each.toLocaleString("en"),
    "time a body may take": `${bodyMs / 1_000} seconds; ${bodyWithFilesMs / 1_000} with files, from when its turn comes`,
    "`waitSeconds`": String(waitSecondsMax),
    "`historyLength`": String(historyLengthMax),
    "files of a revision": `${filesPerRevisionMax}, and 25 MiB in all`,
  });
  expect(limits["calls of a channel in a second"]).toMatch(new RegExp(`^${callsPerSecondDefault}, `));
});

test("the client's types are those of the schema", async () => {
  const path = "agent/client/service-review.ts";
  const options = { ...(await resolveConfig(path)), parser: "typescript" };
  expect(readFileSync(path, "utf8")).toBe(await format(serviceReviewTypes(), options));
});

test("each client is small enough to be read before it is copied", () => {
  const written = { TypeScript: ["index.ts", "task.ts"], Python: ["prior_authorization.py"] };
  for (const [language, files] of Object.entries(written)) {
    const lines = files.flatMap((file) => readFileSync(`agent/client/${file}`, "utf8").split("\n"));
    expect(lines.length, language).toBeLessThan(400);
  }
});

test("every call and message that a guide shows is one that the service accepts", () => {
  const shown = pages.flatMap(({ slug }) =>
    [...textOf(slug).matchAll(/```json\n([^]*?)```/g)].map(([, text = ""]) => {
      const value = JSON.parse(text.replaceAll("…", "")) as Record<string, unknown>;
      return { slug, value };
    }),
  );
  const parsers: Readonly<Record<string, (params: unknown) => { readonly ok: boolean }>> = {
    "message/send": parseSend,
    "tasks/get": parseGet,
    "tasks/cancel": parseCancel,
  };
  const calls = shown.filter(({ value }) => typeof value.method === "string");
  for (const { slug, value } of calls)
    expect(parsers[String(value.method)]?.(value.params), slug).toMatchObject({ ok: true });
  const messages = shown.filter(({ value }) => value.role === "user");
  for (const { slug, value } of messages) expect(parseSend({ message: value }), slug).toMatchObject({ ok: true });
  expect([calls.length > 3, messages.length > 2]).toEqual([true, true]);
  expect(readFileSync("docs/developers/quickstart.md", "utf8")).toContain("Save this as `review.json`");
});
