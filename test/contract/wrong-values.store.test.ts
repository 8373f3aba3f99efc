import { afterAll, describe, expect, test } from "vitest";
import { fields } from "#lib/developers/service-review-page";
import { aChannel, aPractice, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps, rpc } from "#test/support/agents/edge";

const store = aStore();
afterAll(() => store.close());
const deps = edgeDeps(store);
const practiceId = await aPractice(store);
const { key } = await aChannel(store, { practices: [practiceId] });
const nobody = "01a2baf3-0000-7000-8000-000000000000";

/** The least that each call has, so that nothing but the given member can be wrong. */
const intake = { skill: "prior_auth_intake", practiceId };
const review = { payer: { id: "60054" }, procedures: [{ code: "72148" }] };
const least: Readonly<Record<string, () => readonly [method: string, params: object]>> = {
  intake: () => [
    "message/send",
    {
      message: { role: "user", parts: [{ kind: "data", data: { ...intake, serviceReview: structuredClone(review) } }] },
    },
  ],
  void: () => [
    "message/send",
    {
      message: {
        role: "user",
        parts: [{ kind: "data", data: { skill: "prior_auth_void", practiceId, taskId: nobody, reason: "Cancelled." } }],
      },
    },
  ],
  get: () => ["tasks/get", { id: nobody }],
  cancel: () => ["tasks/cancel", { id: nobody }],
};

/** Objects that another of the members needs beside it, by where they stand. */
const beside: Readonly<Record<string, object>> = {
  conditions: { categoryCode: "09", applies: true, codes: ["01"] },
  fileTypes: { fileName: "notes.pdf" },
  providerNotes: { message: "Note." },
  diagnoses: { code: "M54.16" },
  procedures: { code: "72148" },
  appeal: { type: "appeal", reason: "Because." },
  order: { type: "service" },
  payer: { id: "60054" },
};

/** The text of the request in which this member has this value, which is JSON of its own. */
function bodyWith(call: string, pointer: string, value: string): string {
  const [method, params] = least[call]?.() ?? ["", {}];
  const names = pointer.split("/").slice(1);
  let at = params as Record<string, unknown>;
  names.slice(0, -1).forEach((name, index) => {
    const isList = /^\d+$/.test(names[index + 1] ?? "");
    at[name] ??= isList ? [] : { ...beside[/^\d+$/.test(name) ? (names[index - 1] ?? "") : name] };
    // Safe because it was an object or has just become one.
    at = at[name] as Record<string, unknown>;
  });
  at[names.at(-1) ?? ""] = "@@value@@";
  return JSON.stringify(rpc(method, params)).replace('"@@value@@"', () => value);
}

type Issue = { readonly path: string; readonly problem: string };

/** What the caller is told: what is wrong and where, or what a reviewer will be warned of. */
async function replyTo(call: string, pointer: string, value: string): Promise<unknown> {
  const { json } = await callEdge(deps, bodyWith(call, pointer, value), { key });
  const { error, result } = json as {
    error?: { code: number; data?: { issues?: readonly Issue[] } };
    result?: { warnings?: readonly (Issue & { code: string })[] };
  };
  if (error?.data?.issues) return error.data.issues.map(({ path, problem }) => `${path} ${problem}`);
  if (error) return error.code;
  return (result?.warnings ?? [])
    .filter(({ code }) => code !== "no-patient")
    .map(({ code, path, problem }) => `warns ${code} ${path} ${problem}`);
}

const inData = "/message/parts/0/data";
const inReview = `${inData}/serviceReview`;

/** A value of each type of JSON. */
const values = { null: "null", boolean: "true", number: "7", string: '"text"', array: "[]", object: "{}" } as const;
type Type = keyof typeof values;

/** Every member with a form of its own, by the call that has it; and the types that are right. */
const members: readonly (readonly [call: string, pointer: string, right: readonly Type[]])[] = [
  ...fields.map(({ pointer, schema }) => {
    const types = (schema.anyOf ?? [schema]).map(({ type }) => (type === "integer" ? "number" : type));
    return ["intake", `${inReview}${pointer.replaceAll("[]", "/0")}`, types as Type[]] as const;
  }),
  ...[
    ...[
      "payer",
      "subscriber",
      "patient",
      "coverage",
      "requestingProvider",
      "facility",
      "accident",
      "homeHealth",
      "appeal",
    ],
    ...["procedures/0", "procedures/0/order", "diagnoses/0", "renderingProviders/0", "providerNotes/0", "conditions/0"],
  ].map((name) => ["intake", `${inReview}/${name}`, ["object"]] as const),
  ...["procedures", "diagnoses", "renderingProviders", "providerNotes", "conditions"].map(
    (name) => ["intake", `${inReview}/${name}`, ["array"]] as const,
  ),
  ["intake", inReview, ["object"]],
  ["intake", inData, ["object"]],
  ["intake", `${inData}/skill`, ["string"]],
  ["intake", `${inData}/practiceId`, ["string"]],
  ["intake", `${inData}/taskId`, ["string"]],
  ["intake", `${inData}/keepAttachments`, ["array"]],
  ["intake", "/message", ["object"]],
  ["intake", "/message/kind", ["string"]],
  ["intake", "/message/role", ["string"]],
  ["intake", "/message/parts", ["array"]],
  ["intake", "/message/parts/0", ["object"]],
  ["intake", "/message/messageId", ["string"]],
  ["intake", "/message/taskId", ["string"]],
  ["intake", "/message/contextId", ["string"]],
  ["intake", "/message/referenceTaskIds", ["array"]],
  ["intake", "/message/metadata", ["object"]],
  ["intake", "/configuration", ["object"]],
  ["intake", "/configuration/historyLength", ["number"]],
  ["intake", "/configuration/blocking", ["boolean", "null"]],
  ["intake", "/configuration/pushNotificationConfig", ["object", "null"]],
  ["void", `${inData}/taskId`, ["string"]],
  ["void", `${inData}/reason`, ["string"]],
  ["get", "/id", ["string"]],
  ["get", "/historyLength", ["number"]],
  ["get", "/metadata", ["object", "null"]],
  ["get", "/metadata/waitSeconds", ["number"]],
  ["get", "/metadata/unlessVersion", ["number"]],
  ["get", "/metadata/historyAfter", ["string"]],
  ["cancel", "/id", ["string"]],
  ["cancel", "/metadata", ["object"]],
];

describe("a member with a value of a wrong type", () => {
  test("is refused with its path and what its value must be, whatever member and type", async () => {
    const cells: Record<string, Record<string, unknown>> = {};
    for (const [call, pointer, right] of members) {
      const name = `${call} ${pointer}`;
      const wrong = (Object.keys(values) as Type[]).filter((type) => !right.includes(type));
      for (const type of wrong) {
        const issues = await replyTo(call, pointer, values[type]);
        cells[name] = { ...cells[name], [type]: issues };
        expect(issues, `${name} ${type}`).toEqual(
          expect.arrayContaining([expect.stringMatching(/^\/\S* (?:must|is) /)]),
        );
      }
    }
    const count = Object.values(cells).reduce((sum, row) => sum + Object.keys(row).length, 0);
    expect(count).toBeGreaterThanOrEqual(336);
    await expect(`${JSON.stringify(cells, null, 1)}\n`).toMatchFileSnapshot("wrong-types.json");
  });
});

const text = (value: string) => JSON.stringify(value);
const texts = (...all: readonly string[]) => all.map(text);

/** Values that somebody will send one day, by the member that they are sent in. */
const nasty: Readonly<Record<string, readonly string[]>> = {
  [`intake ${inReview}/patient/lastName`]: [
    ...texts(
      "",
      " ",
      "x".repeat(200),
      "x".repeat(201),
      "a\u0000b",
      "a\u0007b",
      "a\nb",
      "a\u009fb",
      "\u202egnaB",
      "\u200d",
      "\ufeffx",
    ),
    ...texts(
      "\u2028",
      "e\u0301\u0301\u0301",
      "\u{1f469}\u200d\u{1f467}",
      "__proto__",
      "<script>",
      "'; DROP TABLE task; --",
      "${7*7}",
      "%00",
      "null",
      "NaN",
    ),
    ...['"\\ud800"', '"\\udc00x"', '"\\u0000"'],
  ],
  [`intake ${inReview}/payer/id`]: texts(
    "",
    " ",
    "x".repeat(64),
    "x".repeat(65),
    "a\u0000b",
    "../../etc",
    "60054 ",
    "\uff16\uff10\uff10\uff15\uff14",
    "constructor",
    "60054\n",
  ),
  [`intake ${inReview}/procedures/0/code`]: texts(
    "",
    "721",
    "7214A",
    "72148 ",
    "\uff17\uff12\uff11\uff14\uff18",
    "72148\n",
    "J0129",
    "-1",
    "x".repeat(65),
    "0072148",
  ),
  [`intake ${inReview}/fromDate`]: [
    ...texts(
      "",
      "2097-02-29",
      "2096-02-29",
      "2096-13-01",
      "2096-00-10",
      "2096-01-00",
      "2096-1-1",
      "20960101",
      "2096-01-01T00:00:00Z",
    ),
    ...texts(
      "01/02/2096",
      "0000-01-01",
      "0001-01-01",
      "9999-12-31",
      "-2096-01-01",
      "+2096-01-01",
      "2096-01-01 ",
      "\uff12\uff10\uff19\uff16-01-01",
      "1899-12-31",
      "2100-02-29",
    ),
    ...texts("today", "2096-W01-1", "99999-01-01", "2096-02-30"),
  ],
  [`intake ${inReview}/patient/birthDate`]: texts(
    "9999-12-31",
    "0001-01-01",
    "2096-02-30",
    "",
    "1979-02-29",
    "1980-02-29",
    "1979/01/01",
  ),
  [`intake ${inReview}/procedures/0/quantity`]: [
    ...[
      "0",
      "-0",
      "0.0",
      "-1",
      "1e-300",
      "5e-324",
      "0.001",
      "0.0009",
      "1e5",
      "99999",
      "99999.0001",
      "1e308",
      "1e400",
      "-1e400",
      "0.1",
      "1E2",
    ],
    ...[
      "9007199254740993",
      "1.0000000000000001",
      "0.30000000000000004",
      "123456789012345678901234567890",
      "1e-7",
      '"1"',
      '"NaN"',
      "[1]",
      "{}",
    ],
  ],
  [`intake ${inReview}/procedures/0/unitPrice`]: [
    "0",
    "-5",
    "0.001",
    "99999999",
    "100000000",
    "1e400",
    "1e-400",
    '"12.50"',
  ],
  [`intake ${inReview}/requestingProvider/npi`]: [
    ...texts(
      "1234567893",
      "1234567890",
      "123456789",
      "12345678930",
      "1234567893 ",
      " 1234567893",
      "123456789\uff13",
      "0000000000",
      "A234567893",
      "",
    ),
    "1234567893",
  ],
  [`intake ${inReview}/requestingProvider/taxId`]: texts("12345678", "1234567890", "12-3456789", "000000000"),
  [`intake ${inReview}/subscriber/memberId`]: texts(
    "",
    "A",
    "x".repeat(30),
    "x".repeat(31),
    "A B",
    "A_B",
    "\u00c4B",
    "A\u0000",
    "--",
    "'OR'1'='1",
  ),
  [`intake ${inReview}/patient/genderCode`]: texts("f", "X", "", "F ", "female"),
  [`intake ${inReview}/patient/subscriberRelationshipCode`]: texts("18", "1", "99", "self", "ZZ"),
  [`intake ${inReview}/patient/birthOrder`]: ["0", "10", "1.5", "1e0", "-1", '"1"'],
  [`intake ${inReview}/patient/zipCode`]: texts("1234", "123456", "12345-", "12345-6789", "123456789", "ABCDE"),
  [`intake ${inReview}/patient/stateCode`]: texts("sd", "S", "SDX", "ZZ"),
  [`intake ${inReview}/procedures/0/epsdt`]: ['"true"', "0", "1", '""'],
  [`intake ${inReview}/procedures/0/modifierCode1`]: texts("", "r", "RTX", "rt", "R "),
  [`intake ${inReview}/procedures/0/quantityTypeCode`]: texts("UN", "XX", "un", "UNIT"),
  [`intake ${inReview}/certificationTypeCode`]: texts("I", "Z", "i", ""),
  [`intake ${inReview}/placeOfServiceCode`]: texts("22", "00", "99", "2", "222"),
  [`intake ${inReview}/serviceTypeCode`]: texts("62", "SMH", "ZZ", "", "mri", "MRI1"),
  [`intake ${inReview}/serviceLevelCode`]: texts("U", "u", "", "R"),
  [`intake ${inReview}/diagnoses`]: [
    "[]",
    '[{"code":"m54.16"}]',
    '[{"code":"M5416"}]',
    '[{"code":"M54."}]',
    '[{"code":"M54.1.6"}]',
    '[{"code":""}]',
    '[{"code":"M54.16"},{"code":"M54.16"}]',
    '[{"code":"M54.16","qualifierCode":"ABX"}]',
    JSON.stringify(Array.from({ length: 100 }, () => ({ code: "M54.16" }))),
    "[null]",
  ],
  [`intake ${inReview}/procedures`]: [
    "[]",
    "[{}]",
    "[[]]",
    '[{"code":"72148"},{"code":"72148"}]',
    JSON.stringify(Array.from({ length: 100 }, () => ({ code: "72148" }))),
    '[{"code":"72148","__proto__":1}]',
    '[{"code":"72148","code":"72149"}]',
  ],
  [`intake ${inReview}/toDate`]: texts("1899-12-31", "2096-02-30"),
  "intake /message/messageId": texts("", "x".repeat(257), "a\u0000b", " "),
  "intake /message/contextId": texts("", "x", "0", nobody),
  "intake /message/taskId": texts("", "x", nobody, nobody.toUpperCase()),
  "intake /configuration/historyLength": ["-1", "1.5", "1e9", "9007199254740993", '"1"', "1e400"],
  "get /historyLength": ["-1", "1.5", "9007199254740993"],
  "get /id": texts("", " ", "x", "a\u0000b", "../x", nobody.replaceAll("-", "")),
  "get /metadata/waitSeconds": ["-1", "61", "1e400", "1", '"60"'],
  "get /metadata/unlessVersion": ["-1", "1.5", "9007199254740993", '"1"'],
};

test("of two hundred nasty values each is refused with its path and problem, warned of, or kept as it is", async () => {
  const cells: Record<string, Record<string, unknown>> = {};
  for (const [name, given] of Object.entries(nasty)) {
    const [call = "", pointer = ""] = name.split(" ");
    for (const value of given) {
      const shown = value.length > 60 ? `${value.slice(0, 20)} and so on, ${value.length} characters` : value;
      cells[name] = { ...cells[name], [shown]: await replyTo(call, pointer, value) };
    }
  }
  const all = Object.values(cells).flatMap((row) => Object.values(row));
  expect(all.length).toBeGreaterThanOrEqual(200);
  expect(all).not.toContain(-32_603);
  await expect(`${JSON.stringify(cells, null, 1)}\n`).toMatchFileSnapshot("nasty-values.json");
});

test("no value caused an internal error", () => {
  expect(deps.lines.filter(({ level }) => level === 50)).toEqual([]);
});
