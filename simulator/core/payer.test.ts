import { expect, test } from "vitest";
import type { Case } from "./case.ts";
import { createPayer, type Payer } from "./payer.ts";
import type { Item, Review, SentMessage } from "./review.ts";

let count = 0;

const anItem = (members: Partial<Item> = {}): Item => ({
  sequence: 1,
  code: "97110",
  codeSystem: undefined,
  modifiers: [],
  quantity: 8,
  unit: "VS",
  from: undefined,
  to: undefined,
  cancelled: false,
  ...members,
});

const aReview = (memberId: string, items: readonly Item[] = [anItem()]): Review => ({
  memberId,
  requesterNpi: undefined,
  diagnoses: [],
  items,
  attachments: [],
  notes: [],
});

const aSent = (members: Partial<SentMessage> = {}): SentMessage => ({
  face: "wire",
  method: "POST",
  path: "/here",
  identity: `message-${(count += 1)}`,
  trace: "T1",
  sha256: `${count}`,
  echo: {},
  ...members,
});

function received(payer: Payer, memberId: string): Case {
  const taken = payer.receive(aReview(memberId), aSent());
  if (taken.type !== "case") throw new Error("a first request opens a case");
  return taken.case;
}

test("an update is a full new version, and is reviewed as the request was", () => {
  const payer = createPayer();
  const of = received(payer, "M1");
  const items = [anItem({ cancelled: true }), anItem({ sequence: 2 })];
  expect(payer.update(of, aReview("M1", items), aSent())).toMatchObject({
    case: { id: of.id, reference: of.reference, items: [{ action: "C" }, { sequence: 2, action: "A1" }] },
  });
  expect(payer.cases()).toHaveLength(1);
});

test("an update that cancels every item is a void", () => {
  const payer = createPayer();
  const of = received(payer, "M1");
  expect(payer.update(of, aReview("M1", [anItem({ cancelled: true })]), aSent())).toMatchObject({
    case: { state: "voided", items: [{ action: "C" }] },
  });
});

test("after a denial nothing is left to update: it is refused, and the denial stands", () => {
  const payer = createPayer();
  const of = received(payer, "M1-DENY");
  expect(payer.update(of, aReview("M1-DENY"), aSent())).toMatchObject({
    case: of,
    message: { rejection: { followUp: "N" } },
  });
  expect(payer.cases()).toEqual([of]);
  expect(payer.ledger().map(({ kind, state }) => ({ kind, state }))).toEqual([
    { kind: "request", state: "decided" },
    { kind: "update", state: "rejected" },
  ]);
});

test("a void takes every item back, once: what is void cannot be voided or updated", () => {
  const payer = createPayer();
  const of = received(payer, "M1");
  expect(payer.void(of, aSent())).toMatchObject({ case: { state: "voided", items: [{ action: "C" }] } });
  expect(payer.void(of, aSent())).toMatchObject({ message: { rejection: { reject: "AA" } } });
  expect(payer.update(of, aReview("M1"), aSent())).toMatchObject({ message: { rejection: { reject: "AA" } } });
});

test("the same message again is counted and changes nothing", () => {
  const payer = createPayer();
  const of = received(payer, "M1");
  const sent = aSent();
  payer.void(of, sent);
  expect(payer.void(of, sent)).toMatchObject({
    case: { state: "voided" },
    message: { times: 2, rejection: undefined },
  });
  expect(payer.void(of, { ...sent, sha256: "other" })).toEqual({ type: "conflict" });
});

test("messages without an identity are each their own, and two wires may use the same names", () => {
  const payer = createPayer();
  for (const sent of [
    { identity: undefined },
    { identity: undefined },
    { identity: "same" },
    { identity: "same", face: "other" },
  ])
    payer.receive(aReview("M1"), aSent({ ...sent, sha256: "same" }));
  expect(new Set(payer.cases().map(({ reference }) => reference)).size).toBe(4);
});

test("a case is found by every number it ever had, and only for its member and wire", () => {
  const payer = createPayer();
  const of = received(payer, "M1");
  payer.update(of, aReview("M1"), aSent({ trace: "T2" }));
  for (const number of ["T1", "T2", of.id, of.reference, of.authorizationNumber])
    expect(payer.find({ numbers: [number], memberId: "M1", face: "wire" })).toHaveLength(1);
  expect(payer.find({ numbers: ["T1"], memberId: "M2" })).toEqual([]);
  expect(payer.find({ numbers: ["T1"], face: "other" })).toEqual([]);
  expect(payer.find({ numbers: [undefined, ""] })).toEqual([]);
});

test("what is decided by hand is told to whoever listens", () => {
  const payer = createPayer();
  const notified: Case[] = [];
  payer.onDecided((of) => notified.push(of));
  const of = received(payer, "M1-PEND");
  expect(notified).toEqual([]);
  const decided = payer.decide(of, { actions: ["A6"] });
  expect(decided).toMatchObject({
    state: "decided",
    items: [{ action: "A6", authorized: { quantity: 4, unit: "VS" } }],
  });
  expect(notified).toEqual([decided]);
});
