import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { parseSend } from "#lib/a2a/params/send-params";
import { parseCancel, parseGet } from "#lib/a2a/params/task-params";
import { faults } from "#lib/a2a/reply/faults";
import { statusByState } from "#lib/a2a/reply/status";
import {
  bodyWithFilesMs,
  fileNameCharsMax,
  messageIdCharsMax,
  mimeTypeCharsMax,
  nestingLevelsMax,
  noteCharsMax,
  partsMax,
  reasonCharsMax,
  waits,
  waitSecondsMax,
} from "#lib/a2a/admit/limits";
import { bodyMs } from "#lib/platform/http/arrival";
import { helpAnchor } from "#lib/platform/http/reply";
import { faultTexts } from "#lib/messages/agent/faults";
import { atoms } from "#lib/access/model/actor";
import { callsPerSecondDefault } from "#lib/channel/channel-limits";
import { channelKeyPattern } from "#lib/channel/channel-key";
import { groups, markdownOf, pageOf } from "#lib/developers/pages";
import { example, fields, notSentBy } from "#lib/developers/service-review-page";
import { serviceReviewTypes, taskTypes } from "#lib/developers/typescript";
import { fieldText } from "#lib/messages/agent/fields";
import { historyLengthMax } from "#lib/task/message-history";
import { filesPerRevisionMax } from "#lib/task/model/attachment";
import { serviceReviewSchema } from "#lib/task/model/service-review";
import { signatureHeaders } from "#lib/channel/webhook/model/signature";
import { openRpc } from "#lib/developers/openrpc";
import { sectionsOf } from "#lib/developers/outline";
import { taskMembers } from "#lib/developers/task-page";
import { taskSchema } from "#lib/developers/task-schema";
import { searchPages } from "#lib/developers/search-pages";
import { taskMemberTexts } from "#lib/messages/agent/task-members";
import { blocksOf, guides, savedAs } from "#test/support/docs/guides";
import { formatted } from "#test/support/docs/formatted";

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
  expect(notSentBy("/procedures[]/revenueUnitRateLimit")).toEqual(["service-review"]);
  expect(notSentBy("/patient/birthDate")).toEqual([]);
});

test("the page about payers says what each connection needs, as a request that lacks it is told", () => {
  const needs = Object.fromEntries(rowsOf("payers").map(([name, ...cells]) => [name, cells]));
  expect(needs["`manual`"]).toEqual(["nothing more", "nothing more", "nothing more"]);
  for (const connection of ["`pas-fhir`", "`service-review`"]) {
    const [always, provider, dependent] = needs[connection] ?? [];
    for (const member of ["subscriber.memberId", "patient.birthDate", "requestingProvider.npi", "diagnoses"])
      expect(always).toContain(`\`${member}\``);
    expect(provider).toContain("`renderingProviders[].npi`");
    expect(dependent).toContain("`subscriber.lastName`");
  }
});

test("the pages name every state, every error with its message and HTTP status, and every atom", () => {
  const states = rowsOf("states").map((row) => row.slice(0, 3));
  for (const [state, { status, by }] of Object.entries(statusByState))
    expect(states).toContainEqual([`\`${state}\``, `\`${status}\``, by]);
  const errors = sectionsOf(textOf("errors"));
  for (const { code, message, http } of Object.values(faults)) {
    const [section, ...others] = errors.filter(({ heading }) => heading === `Error ${code}: ${message}`);
    expect(others).toEqual([]);
    expect(section?.id, message).toBe(helpAnchor({ code, message }));
    expect(section?.text, message).toContain(`\n| ${http} | `);
  }
  expect(faultTexts["body-too-slow"].when).toContain(
    `longer than ${bodyMs / 1_000} seconds, or ${bodyWithFilesMs / 1_000} with files`,
  );
  const listed = rowsOf("security").map(([atom]) => atom);
  for (const atom of atoms) expect(listed).toContain(`\`${atom}\``);
});

test("the pages publish the pattern that finds a channel key, as the code has it", () => {
  expect(textOf("security")).toContain(`\n${channelKeyPattern.source}\n`);
});

test("the pages state the limits that hold", () => {
  const limits = Object.fromEntries(rowsOf("limits"));
  expect(limits).toMatchObject({
    "calls of a channel that wait at once": waits.each.toLocaleString("en"),
    "time a body may take": `${bodyMs / 1_000} seconds; ${bodyWithFilesMs / 1_000} with files, from when its turn comes`,
    "parts of a message": String(partsMax),
    "`text` part": `${noteCharsMax.toLocaleString("en")} characters`,
    "`messageId`": `${messageIdCharsMax} characters`,
    "`reason` of a void": `${reasonCharsMax.toLocaleString("en")} characters`,
    "name and media type of a file": `${Math.min(fileNameCharsMax, mimeTypeCharsMax)} characters each`,
    "nesting of a request": `${nestingLevelsMax} levels`,
    "`waitSeconds`": String(waitSecondsMax),
    "`historyLength`": String(historyLengthMax),
    "files of a revision": `${filesPerRevisionMax}, and 25 MiB in all`,
  });
  expect(limits["calls of a channel in a second"]).toMatch(new RegExp(`^${callsPerSecondDefault}, `));
});

test.each([
  ["service-review", serviceReviewTypes()],
  ["task", taskTypes()],
])("the client's types of %s are those of the schema", async (name, made) => {
  const path = `agent/client/${name}.d.ts`;
  expect(readFileSync(path, "utf8")).toBe(await formatted(path, made));
});

test("each client is small enough to be read before it is copied", () => {
  const written = { TypeScript: ["index.js", "index.d.ts"], Python: ["prior_authorization.py"] };
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
});

type RecordedReply = { readonly body: { readonly result?: Record<string, unknown> } };

test("every task that the service tells is one by the published schema, and has no member that is not in it", () => {
  // Safe because the record of replies is of this form.
  const recorded = JSON.parse(readFileSync("test/contract/wire-replies.json", "utf8")) as readonly RecordedReply[];
  const tasks = recorded.flatMap(({ body: { result } }) => (result === undefined ? [] : [result]));
  expect(tasks.length).toBeGreaterThan(20);
  for (const task of tasks) {
    const schema = task.unchanged === true ? taskSchema.partial() : taskSchema;
    expect(schema.parse(task)).toEqual(task);
  }
});

test("the OpenRPC document names the schema of a task as what each method gives", () => {
  const text = JSON.stringify(openRpc("https://pa.example.org"));
  expect(text.match(/"\$ref":"https:\/\/pa\.example\.org\/developers\/schemas\/task\.json"/g)).toHaveLength(3);
});

test("every member of a task is described, on its page too, and nothing else is", () => {
  const pointers = taskMembers.map(({ pointer }) => pointer);
  expect(taskMembers.filter(({ schema }) => schema.description === undefined)).toEqual([]);
  expect(Object.keys(taskMemberTexts).filter((pointer) => !pointers.includes(pointer))).toEqual([]);
  const named = rowsOf("task").map(([name]) => name?.replaceAll("**", ""));
  for (const pointer of pointers) expect(named).toContain(`\`${pointer.slice(1).replaceAll("/", ".")}\``);
});

test("a task that a guide shows has no member that the schema lacks", () => {
  const known = taskMembers.map(({ pointer }) => pointer);
  // What is in a part is up to the part, and what holds nothing here may hold what the schema names.
  const isKnown = (leaf: string) =>
    known.some(
      (each) =>
        leaf === each || leaf.startsWith(`${each}/`) || each.startsWith(`${leaf}/`) || each.startsWith(`${leaf}[]`),
    );
  const shown = guides.flatMap((slug) =>
    blocksOf(slug)
      .filter(({ language }) => language === "json")
      // Safe because every such block is an object.
      .map(({ text }) => JSON.parse(text.replaceAll("…", "")) as Record<string, unknown>)
      .flatMap((value) => ("result" in value ? [value.result] : isPartOfTask(value) ? [value] : [])),
  );
  expect(shown.length).toBeGreaterThan(4);
  expect(shown.flatMap((task) => leavesOf(task, "")).filter((leaf) => !isKnown(leaf))).toEqual([]);
});

/** The JSON pointers of the values in this that hold no others. */
function leavesOf(value: unknown, pointer: string): readonly string[] {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((each) => leavesOf(each, `${pointer}[]`));
  const members = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return members.length === 0 ? [pointer] : members.flatMap(([name, each]) => leavesOf(each, `${pointer}/${name}`));
}

function isPartOfTask(value: Record<string, unknown>): boolean {
  return ["gate", "determination", "clock", "recourse"].some((name) => name in value) || value.kind === "task";
}

test("every block of a guide is of a kind that is run, saved to be run, checked or printed", () => {
  for (const slug of guides)
    for (const block of blocksOf(slug)) {
      expect(["bash", "python", "js", "ts", "json", "text", ""], slug).toContain(block.language);
      if (block.language === "js" || block.language === "ts") expect(savedAs(block), slug).toBeDefined();
    }
});

test("the request of the examples is the one of the quickstart", () => {
  const [block] = blocksOf("quickstart").filter((each) => savedAs(each) === "review.json");
  expect(readFileSync("agent/examples/review.json", "utf8")).toBe(block?.text);
});

test("the signed delivery that the guide on webhooks shows is one that this service signs", () => {
  const [program] = blocksOf("webhooks").filter(({ language }) => language === "python");
  const value = (name: string) => new RegExp(`${name}"?(?:: | = )b?["'](.+)["']`).exec(program?.text ?? "")?.[1] ?? "";
  const content = { id: value("webhook-id"), timestamp: Number(value("webhook-timestamp")), body: value("body") };
  expect(signatureHeaders(content, [value("secret")])["webhook-signature"]).toBe(value("webhook-signature"));
});

test("who looks for words finds the part of a page that has them all, with what stands around them", () => {
  const [first] = searchPages("recall window");
  expect(first).toMatchObject({ slug: "release", id: expect.any(String) });
  expect(searchPages("PEND-A1")).toContainEqual(expect.objectContaining({ slug: "testing" }));
  expect(searchPages("")).toEqual([]);
  expect(searchPages("nothing-has-this-word")).toEqual([]);
});

test("a line of a block is no heading of a page", () => {
  const headings = sectionsOf("# A\n\n```bash\n# not one\n```\n\n## B `c`\n\nText.\n");
  expect(headings.map(({ heading, id }) => [heading, id])).toEqual([
    ["A", undefined],
    ["B c", "b-c"],
  ]);
});
