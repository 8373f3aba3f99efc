import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { aPerson, done, entriesOf, everything, fresh, operator, others } from "#test/support/people/admin";
import { aHeldTask, aStore } from "#test/support/cases/cases";
import { fullReview } from "#test/support/agents/reviews";
import { loadAccess, resolveRoute } from "#lib/practice/shared/resolved-route";
import { reviewTask } from "#lib/task/review-task";
import { createPractice } from "#lib/practice/create-practice";
import { importColumns } from "./import-csv.ts";
import { applyImport, previewImport } from "./import-settings.ts";
import { listPayerRecords } from "#lib/practice/store/payers";
import { setPayer } from "#lib/practice/directory/set-payer";
import { setPayerRules } from "#lib/practice/directory/set-payer-rules";
import { setRoute } from "#lib/practice/set-route";
import { showPractice } from "#lib/practice/list-practices";
import { showVersions } from "#lib/practice/show-route";

const store = aStore();
const ctx = { actor: operator, store };
afterAll(() => store.close());

async function aPractice(name = "Elm Street") {
  const id = fresh("practice");
  await done(createPractice(ctx, { id, name, environment: "test" }));
  return id;
}

const preview = (kind: "practices" | "routes" | "payers", text: string) => done(previewImport(ctx, { kind, text }));
const outcomes = async (kind: "practices" | "routes", text: string) =>
  (await preview(kind, text)).rows.map(({ line, outcome }) => [line, outcome]);

describe("a dry run", () => {
  test("reports what every row would change, and writes nothing", async () => {
    const [same, other, third] = [await aPractice(), await aPractice(), await aPractice()];
    const made = fresh("made");
    const before = await everything(store);
    const { rows } = await preview(
      "practices",
      [
        "id,name,recall_window_s,npi",
        `${same},Elm Street,10,`,
        `${other},"Elm, Street",60,1234567893`,
        `${made},New Street,,`,
        `${fresh("bad")},Bad Street,9999,1234567890`,
        `${made},Twice,,`,
        `${third.toUpperCase()},Capital Street,,`,
      ].join("\r\n"),
    );
    expect(rows.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, "unchanged"],
      [3, "changed"],
      [4, "new"],
      [5, "refused"],
      [6, "refused"],
      [7, "refused"],
    ]);
    expect(rows[1]?.changes).toEqual([
      { path: "/name", before: '"Elm Street"', after: '"Elm, Street"' },
      { path: "/recallWindowS", before: "10", after: "60" },
      { path: "/npi", before: "null", after: '"1234567893"' },
    ]);
    expect(rows[3]?.issues.map(({ field }) => field)).toEqual(["recall_window_s", "npi"]);
    expect(rows[4]?.issues).toEqual([{ field: "id", problem: "is already used in line 4" }]);
    expect(rows[5]?.issues).toMatchObject([{ field: "id", problem: expect.stringContaining("capital letters") }]);
    expect(await everything(store)).toEqual(before);
  });

  test.each([
    ["nothing", ""],
    ["a head alone", "practice,payer\n"],
    ["no payer", "practice,connector\na,manual\n"],
    ["a column nobody knows", "practice,payer,colour\na,b,c\n"],
    ["a column twice", "practice,payer,payer\na,b,c\n"],
    ["a credential", "practice,payer,credential\na,b,s3cret\n"],
    ["a row too short", "practice,payer,url\na,b\n"],
    ["a quote left open", 'practice,payer\n"a,b\n'],
    ["too many rows", `practice,payer\n${"a,b\n".repeat(501)}`],
    ["too many bytes", `practice,payer\n${"a,b\n".repeat(60_000)}`],
  ])("refuses a file with %s as a whole", async (_, text) => {
    const refused = await previewImport(ctx, { kind: "routes", text });
    expect(refused).toMatchObject({ refusal: { type: "invalid", issues: [{ field: "file" }] } });
    expect(JSON.stringify(refused)).not.toContain("s3cret");
  });
});

test.each(["practices", "routes"] as const)("the template of %s has every column there is", async (kind) => {
  const [head] = readFileSync(`public/import/${kind}.csv`, "utf8").split("\n");
  expect(head?.split(",")).toEqual(importColumns[kind]);
});

test.each(["practices", "routes", "payers"] as const)(
  "no row of the template of %s is refused, for a practice that is there",
  async (kind) => {
    const text = readFileSync(`public/import/${kind}.csv`, "utf8").replaceAll("elm-street", await aPractice());
    const { rows } = await preview(kind, text);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ outcome }) => outcome === "refused")).toEqual([]);
  },
);

describe("applying", () => {
  test("does exactly what the preview showed: routes with their settings, kept credentials and superseded gates", async () => {
    const { practiceId, taskId, reviewer } = await aHeldTask(store, { routed: true, review: fullReview });
    const pas = { practiceId, payerId: "P1", connector: "pas-fhir", url: "https://payer.example/fhir" };
    await done(setRoute(ctx, { ...pas, credential: "kept-secret" }));
    const text = [
      "practice,payer,payer_name,connector,url,required_fields,settings",
      `${practiceId},87042,Elm Health,manual,,/requestingProvider/fax,`,
      `${practiceId},P1,Oak Health,pas-fhir,https://payer.example/r4,,version=2.0.1; resend=by-identity`,
    ].join("\n");
    const { digest } = await preview("routes", text);
    expect(await done(applyImport(ctx, { kind: "routes", text, digest }))).toEqual({ written: 2, superseded: 1 });
    const route = await resolveRoute(store, practiceId, "P1");
    expect(route?.destination).toMatchObject({
      version: 2,
      payerName: "Oak Health",
      settings: { version: "2.0.1", resend: "by-identity" },
    });
    expect(await loadAccess(store, route?.destination.routeId ?? "")).toMatchObject({ credential: "kept-secret" });
    expect(await done(reviewTask(reviewer, { taskId }))).toMatchObject({ state: "needs-information" });
    expect(await outcomes("routes", text)).toEqual([
      [2, "unchanged"],
      [3, "unchanged"],
    ]);
    expect((await entriesOf(ctx, practiceId)).filter(({ detail }) => detail.import !== undefined)).toHaveLength(2);
  });

  test("lists payers with what they take and require, changes those that are listed, and keeps their rules", async () => {
    const practiceId = await aPractice();
    await done(setRoute(ctx, { practiceId, payerId: "IMG", connector: "manual" }));
    await done(setPayer(ctx, { practiceId, payerId: "P1", name: "Oak Health", aliases: ["Oak"] }));
    const rule = { name: "Imaging", serviceTypes: ["62"], codes: [], linesOfBusiness: [], connection: "IMG" };
    await done(setPayerRules(ctx, { practiceId, payerId: "P1", rules: [rule] }));
    const text = [
      "practice,payer,name,aliases,supports,required_fields",
      `${practiceId},P1,Oak Health Plan,Oak; OHP,updates files,/procedures/*/toothCode`,
      `${practiceId},P2,Ash Health,,none,`,
    ].join("\n");
    const { digest, rows } = await preview("payers", text);
    expect(rows.map(({ outcome }) => outcome)).toEqual(["changed", "new"]);
    expect(await done(applyImport(ctx, { kind: "payers", text, digest }))).toMatchObject({ written: 2 });
    expect(await listPayerRecords(store, practiceId)).toMatchObject([
      { payerId: "P2", name: "Ash Health", aliases: [], supports: [], requiredFields: [] },
      {
        ...{ payerId: "P1", name: "Oak Health Plan", aliases: ["Oak", "OHP"], supports: ["updates", "files"] },
        ...{ requiredFields: ["/procedures/*/toothCode"], rules: [rule] },
      },
    ]);
  });

  test("makes practices and changes others in one, each with its version", async () => {
    const [known, made] = [await aPractice(), fresh("made")];
    const text = `id,name,tax_id,urgent_target_h\n${known},Oak Street,12-3456789,2\n${made},Ash Street,,\n`;
    const { digest } = await preview("practices", text);
    await done(applyImport(ctx, { kind: "practices", text, digest }));
    expect(await done(showPractice(ctx, { practiceId: known }))).toMatchObject({
      ...{ name: "Oak Street", taxId: "123456789", urgentTargetH: 2, recallWindowS: 10 },
    });
    expect(await done(showPractice(ctx, { practiceId: made }))).toMatchObject({ name: "Ash Street" });
    expect((await done(showVersions(ctx, { practiceId: known }))).list).toHaveLength(2);
  });

  test("is refused where anything that was shown changed meanwhile, and then writes nothing", async () => {
    const practiceId = await aPractice();
    const text = `id,name\n${practiceId},Oak Street\n${fresh("made")},Ash\n`;
    const { digest } = await preview("practices", text);
    await done(changePracticeSettings(ctx, { practiceId, urgentTargetH: 1, standardTargetH: 5 }));
    await store.prisma.practice.update({ where: { id: practiceId }, data: { name: "Somebody else's" } });
    const before = await everything(store);
    const applied = applyImport(ctx, { kind: "practices", text, digest });
    expect(await applied).toEqual({ ok: false, refusal: { type: "changed-since" } });
    expect(await applyImport(ctx, { kind: "practices", text: text.replace("Ash", "Asp"), digest })).toMatchObject({
      refusal: { type: "changed-since" },
    });
    expect(await everything(store)).toEqual(before);
  });

  test("happens once for concurrent requests", async () => {
    const text = `id,name\n${fresh("made")},Ash\n`;
    const { digest } = await preview("practices", text);
    const all = await Promise.all([1, 2, 3, 4].map(() => applyImport(ctx, { kind: "practices", text, digest })));
    expect(all.filter(({ ok }) => ok)).toHaveLength(1);
    for (const each of all.filter(({ ok }) => !ok)) expect(each).toMatchObject({ refusal: { type: "changed-since" } });
  });

  test("writes no row where one is refused", async () => {
    const text = `id,name\n${fresh("made")},Ash\n${fresh("bad")},\n`;
    const { digest } = await preview("practices", text);
    const before = await everything(store);
    expect(await applyImport(ctx, { kind: "practices", text, digest })).toMatchObject({
      refusal: { type: "invalid", issues: [{ field: "file", problem: "is refused in line 3" }] },
    });
    expect(await everything(store)).toEqual(before);
  });

  test("moves no kept credential to another address", async () => {
    const practiceId = await aPractice();
    const pas = { practiceId, payerId: "P1", connector: "pas-fhir", url: "https://payer.example/fhir" };
    await done(setRoute(ctx, { ...pas, credential: "kept-secret" }));
    const { rows } = await preview("routes", `practice,payer,url\n${practiceId},P1,https://elsewhere.example/fhir\n`);
    expect(rows).toMatchObject([{ outcome: "refused", issues: [{ field: "url" }] }]);
  });
});

test("an administrator of some practices imports into those alone, and does not learn whether others exist", async () => {
  const [mine, theirs] = [await aPractice(), await aPractice()];
  const actor = { ...aPerson({ roles: ["admin"] }), administers: [mine] };
  const text = `practice,payer,connector\n${mine},P1,manual\n${theirs},P1,manual\n${fresh("none")},P1,manual\n`;
  // Whoever works there is not waited for, so nobody there waits for this either.
  const { rows } = await store.prisma.$transaction(async (tx) => {
    await tx.practice.update({ where: { id: theirs }, data: { name: "Held" } });
    return done(previewImport({ actor, store }, { kind: "routes", text }));
  });
  const nobodys = { outcome: "refused", issues: [{ field: "practice", problem: "isn't a practice you administer" }] };
  expect(rows).toMatchObject([{ outcome: "new" }, nobodys, nobodys]);
  const makes = await done(
    previewImport({ actor, store }, { kind: "practices", text: `id,name\n${fresh("made")},Ash\n${theirs},Ash\n` }),
  );
  expect(makes.rows.map(({ outcome }) => outcome)).toEqual(["refused", "refused"]);
});

test.each(others)("%s can neither try an import nor apply one, and nothing is written", async (_, actor) => {
  const text = `id,name\n${fresh("made")},Ash\n`;
  const before = await everything(store);
  const as = { actor, store };
  const attempts = [
    previewImport(as, { kind: "practices", text }),
    applyImport(as, { kind: "practices", text, digest: "0".repeat(64) }),
  ];
  for (const result of await Promise.all(attempts))
    expect(result).toEqual({ ok: false, refusal: { type: "not-authorised" } });
  expect(await everything(store)).toEqual(before);
});
