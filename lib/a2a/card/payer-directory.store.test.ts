import { afterAll, expect, test } from "vitest";
import { blocksOf } from "#test/support/docs/guides";
import { setPayer } from "#lib/practice/directory/set-payer";
import { setPayerRules } from "#lib/practice/directory/set-payer-rules";
import { demoPayerIds } from "#lib/practice/model/demo-payers";
import { done, operator } from "#test/support/people/admin";
import { aChannel, aPractice, aRoute, aStore } from "#test/support/cases/cases";
import { callEdge, edgeDeps } from "#test/support/agents/edge";
import { payerDirectoryUri } from "./agent-card.ts";
import { serveCard } from "./serve-card.ts";

const store = aStore();
const admin = { actor: operator, store };
const deps = edgeDeps(store);
afterAll(() => store.close());

type Query = { readonly key?: string; readonly practice?: string };

async function aCard({ key, practice }: Query) {
  const url = `http://localhost/.well-known/agent-card.json${practice === undefined ? "" : `?practice=${practice}`}`;
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const response = await serveCard(new Request(url, { headers }), { deps, publicUrl: "http://localhost" });
  const text = await response.text();
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test reads of a card is up to the test
  const json: any = JSON.parse(text);
  const extension = json.capabilities?.extensions.find(({ uri }: { uri: string }) => uri === payerDirectoryUri);
  return { status: response.status, headers: response.headers, text, json, params: extension?.params };
}

async function aDirectory() {
  const practiceId = await aPractice(store);
  await aRoute(store, { practiceId });
  const payer = { payerId: "60054", name: "Lakeview Mutual", aliases: ["LVM"] };
  await done(setPayer(admin, { practiceId, ...payer, requiredFields: ["/subscriber/memberId"] }));
  const rule = { name: "Imaging", serviceTypes: ["4"], codes: ["70336-78816"], linesOfBusiness: [] };
  const rules = [{ ...rule, connection: "87042" }];
  await done(setPayerRules(admin, { practiceId, payerId: "60054", rules }));
  return practiceId;
}

test("an invented payer is marked as one, and no other is", async () => {
  const practiceId = await aDirectory();
  const [payerId, name] = [demoPayerIds.harborlight, "Harborlight Health Plan"];
  await done(setPayer(admin, { practiceId, payerId, name }));
  const { key } = await aChannel(store, { practices: [practiceId] });
  const { params } = await aCard({ key });
  const marked = params.practices[practiceId]?.payers.filter(({ demo }: { demo?: true }) => demo === true);
  expect(marked).toMatchObject([{ id: payerId, name }]);
});

test("the directory that the guide shows has the members of one that the card tells, and no others", async () => {
  const practiceId = await aDirectory();
  await done(setPayer(admin, { practiceId, payerId: demoPayerIds.harborlight, name: "Harborlight Health Plan" }));
  const { params } = await aCard({ key: (await aChannel(store, { practices: [practiceId] })).key });
  const [block] = blocksOf("payers").filter(({ language }) => language === "json");
  expect(namesIn(JSON.parse(block?.text ?? "{}"))).toEqual(namesIn(params));
});

/** The names of the members of a directory, wherever they stand; those of practices are ids. */
function namesIn({ practices, ...rest }: { readonly practices: object }): ReadonlySet<string> {
  const names = new Set(Object.keys(rest));
  JSON.stringify(Object.values(practices), (name, value: unknown) => {
    if (!/^\d*$/.test(name)) names.add(name);
    return value;
  });
  return names;
}

test("the card has the payers of the practices that the channel of the key reaches, and of no other", async () => {
  const [practiceId, bare, other] = [await aDirectory(), await aPractice(store), await aDirectory()];
  const { key } = await aChannel(store, { practices: [practiceId, bare] });
  const { status, headers, text, params } = await aCard({ key });
  expect([status, headers.get("cache-control"), headers.get("vary")]).toEqual([200, "no-store", "authorization"]);
  expect(params.practices).toEqual({
    [bare]: { unlistedPayers: "manual", payers: [] },
    [practiceId]: {
      unlistedPayers: "refuse",
      payers: [
        {
          ...{ id: "87042", name: "Harbor Mutual", aliases: [], connection: "pas-fhir" },
          ...{ supports: ["updates", "files", "voids"], requiredFields: [], delegatedReviews: [] },
        },
        {
          ...{ id: "60054", name: "Lakeview Mutual", aliases: ["LVM"], connection: "manual" },
          ...{ supports: [], requiredFields: ["/subscriber/memberId"] },
          delegatedReviews: [
            {
              ...{ name: "Imaging", serviceTypes: ["4"], codes: ["70336-78816"], linesOfBusiness: [] },
              reviewer: { id: "87042", name: "Harbor Mutual" },
            },
          ],
        },
      ],
    },
  });
  expect(text).not.toContain(other);
  expect(Object.keys((await aCard({ key, practice: practiceId })).params.practices)).toEqual([practiceId]);
});

test("without a credential the card has no payers, and may be kept for others", async () => {
  await aDirectory();
  const { status, headers, params } = await aCard({});
  expect([status, headers.get("cache-control"), params]).toEqual([200, "public, max-age=300", undefined]);
});

test("a practice out of reach and one that does not exist are denied alike, as is one to a channel that may not send requests", async () => {
  const [practiceId, other] = [await aPractice(store), await aDirectory()];
  const { key } = await aChannel(store, { practices: [practiceId] });
  const reader = await aChannel(store, { practices: [practiceId], atoms: ["tasks_get"] });
  const answers = await Promise.all([
    aCard({ key, practice: other }),
    aCard({ key, practice: "no-such-practice" }),
    aCard({ key: reader.key, practice: practiceId }),
  ]);
  const uniform = '{"jsonrpc":"2.0","id":null,"error":{"code":-32003,"message":"Not authorised"}}';
  expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [200, uniform]));
});

test("a channel that may not send requests gets the card, without payers and for itself alone", async () => {
  const { key } = await aChannel(store, { practices: [await aDirectory()], atoms: ["tasks_get"] });
  const { status, headers, text, params } = await aCard({ key });
  expect([status, headers.get("cache-control"), params]).toEqual([200, "no-store", undefined]);
  expect(text).toBe((await aCard({})).text);
});

test("a credential that no channel has is answered as at the endpoint", async () => {
  const { status, json } = await aCard({ key: "pa_wrong" });
  const there = await callEdge(deps, { jsonrpc: "2.0", id: "1", method: "tasks/get", params: {} }, { key: "pa_wrong" });
  expect([status, json.error]).toEqual([there.status, there.json.error]);
});

test("asking for it counts as a call of the channel, within its rate", async () => {
  const practiceId = await aPractice(store);
  const channel = await aChannel(store, { practices: [practiceId] });
  await store.prisma.channel.update({ where: { id: channel.actor.id }, data: { callsPerSecond: 1 } });
  const answers = await Promise.all(Array.from({ length: 10 }, () => aCard({ key: channel.key })));
  const answered = answers.filter(({ status }) => status === 200).length;
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(10 - answered);
  expect(answered).toBeLessThan(10);
  await deps.book.write();
  const { rows } = await store.pool.query<{ calls: number; denied: number }>(
    "SELECT calls, denied FROM channel_minute WHERE channel_id = $1",
    [channel.actor.id],
  );
  const sum = (name: "calls" | "denied") => rows.reduce((total, row) => total + Number(row[name]), 0);
  expect([sum("calls"), sum("denied")]).toEqual([answered, 10 - answered]);
});
