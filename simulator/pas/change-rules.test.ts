import { expect, test } from "vitest";
import {
  aFirstBundle,
  anUpdateOf,
  asOlderUpdate,
  cancel,
  certify,
  entriesOf,
  flag,
  relationship,
  resourceIn,
  rowOf,
  rowsOf,
  withDocument,
  type Json,
} from "#test/support/payer/pas/bundles";
import { example } from "#test/support/payer/pas/example";
import { checkSubmission } from "./rules.ts";

const problems = (bundle: unknown, version: "2.2.1" | "2.0.1" = "2.2.1") => {
  const checked = checkSubmission(bundle, version);
  return checked.ok ? [] : checked.problems.map(({ at, text }) => `${at} ${text}`);
};
const starting = (text: string) => new RegExp(`^${text.replace(/[[\].]/g, "\\$&")}`);

/** A request whose second item is cancelled already, and which has one document. */
function aLaterVersion(): Json {
  const first = aFirstBundle();
  withDocument(resourceIn(first, "Claim"), first, { text: "first", sequence: 1 });
  return anUpdateOf(first, (claim) => {
    cancel(rowOf(claim, "item", 1));
    flag(rowOf(claim, "item", 1), "changed");
  });
}

const addItem = (claim: Json) => {
  const added = { ...structuredClone(rowOf(claim, "item", 0)), sequence: 3 };
  flag(added, "added");
  claim["item"] = [...rowsOf(claim, "item"), added];
};

test("the official update is accepted, and told from a first request", () => {
  expect(checkSubmission(example("2.2.1/Bundle-HomecareAuthorizationUpdateBundleExample"), "2.2.1")).toMatchObject({
    ok: true,
    change: { cancelsAll: false },
  });
  expect(checkSubmission(aFirstBundle(), "2.2.1")).toMatchObject({ ok: true, change: undefined });
});

test.each<[string, (claim: Json, bundle: Json) => unknown]>([
  ["adds an item", addItem],
  [
    "changes a quantity",
    (claim) => {
      Object.assign(rowOf(claim, "item", 0), { quantity: { value: 3, unit: "visits" } });
      flag(rowOf(claim, "item", 0), "changed");
    },
  ],
  [
    "adds a document",
    (claim, bundle) => {
      withDocument(claim, bundle, { text: "second", sequence: 2 });
      flag(rowOf(claim, "supportingInfo", 1), "added");
    },
  ],
  [
    "takes a document back",
    (claim) => {
      cancel(rowOf(claim, "supportingInfo", 0));
      flag(rowOf(claim, "supportingInfo", 0), "changed");
    },
  ],
  ["cancels everything on the Claim", (claim) => certify(claim, "3")],
  [
    "cancels everything and names one item",
    (claim) => {
      certify(claim, "3");
      claim["item"] = [rowOf(claim, "item", 0)];
    },
  ],
  ["leaves all as it was", () => undefined],
])("an update that %s is accepted", (_, change) => {
  expect(problems(anUpdateOf(aLaterVersion(), change))).toEqual([]);
});

test.each<[string, string, (claim: Json, bundle: Json) => unknown]>([
  ["Claim.related must name the Claim", "names no Claim", (claim) => delete claim["related"]],
  ["Claim.related must be one", "names two Claims", (claim) => (claim["related"] as Json[]).push({})],
  [
    "Claim.related[0].relationship must be prior",
    "has another relationship",
    (claim) => Object.assign((claim["related"] as Json[])[0] ?? {}, { relationship: relationship("associated") }),
  ],
  [
    "Claim.related[0].claim must be another Claim",
    "does not bring the Claim it updates",
    (_, bundle) => (bundle["entry"] = entriesOf(bundle).slice(0, -1)),
  ],
  [
    "Claim.related[0].claim must be another Claim",
    "updates itself",
    (claim, bundle) =>
      Object.assign((claim["related"] as Json[])[0] ?? {}, { claim: { reference: entriesOf(bundle)[0]?.fullUrl } }),
  ],
  [
    "Bundle.entry must hold the Claim and the one",
    "brings the Claim before the one it updates",
    (_, bundle) => {
      const older = structuredClone(resourceIn(aFirstBundle(), "Claim"));
      entriesOf(bundle).push({ fullUrl: `http://example.org/fhir/Claim/${String(older["id"])}`, resource: older });
    },
  ],
  ["Claim.item lacks sequence 2", "drops an item", (claim) => (claim["item"] = rowsOf(claim, "item").slice(0, 1))],
  ["Claim.supportingInfo lacks sequence 1", "drops a document", (claim) => delete claim["supportingInfo"]],
  [
    "Claim.item[2].extension is new",
    "adds an item without saying so",
    (claim) =>
      (claim["item"] = [...rowsOf(claim, "item"), { ...structuredClone(rowOf(claim, "item", 0)), sequence: 3 }]),
  ],
  [
    "Claim.item[0].extension differs",
    "changes an item without saying so",
    (claim) => Object.assign(rowOf(claim, "item", 0), { quantity: { value: 3, unit: "visits" } }),
  ],
  [
    "Claim.item[0].extension is as it was",
    "says an item changed that did not",
    (claim) => flag(rowOf(claim, "item", 0), "changed"),
  ],
  [
    "Claim.item[0].extension differs",
    "says an item was added that was there",
    (claim) => {
      Object.assign(rowOf(claim, "item", 0), { quantity: { value: 3, unit: "visits" } });
      flag(rowOf(claim, "item", 0), "added");
    },
  ],
  [
    "Claim.item[2].extension has infoChanged that is neither",
    "flags an item by no known word",
    (claim) => {
      addItem(claim);
      flag(rowOf(claim, "item", 2), "new");
      const extension = rowOf(claim, "item", 2)["extension"] as Json[];
      rowOf(claim, "item", 2)["extension"] = extension.filter(({ valueCode }) => valueCode !== "added");
    },
  ],
  ["Claim.item[0].extension differs", "cancels an item silently", (claim) => cancel(rowOf(claim, "item", 0))],
  [
    "Claim.item[0].extension must have certificationType 3 exactly",
    "cancels an item by its certification type alone",
    (claim) => {
      certify(rowOf(claim, "item", 0), "3");
    },
  ],
  [
    "Claim.item[0].extension must have certificationType 3 exactly",
    "cancels an item and keeps its certification type",
    (claim) => {
      cancel(rowOf(claim, "item", 0));
      certify(rowOf(claim, "item", 0), "I");
      flag(rowOf(claim, "item", 0), "changed");
    },
  ],
  [
    "Claim.item[1].modifierExtension was cancelled before",
    "brings a cancelled item back",
    (claim) => {
      delete rowOf(claim, "item", 1)["modifierExtension"];
      certify(rowOf(claim, "item", 1), "I");
      flag(rowOf(claim, "item", 1), "changed");
    },
  ],
  [
    "Claim.item[2].modifierExtension cancels what was not",
    "cancels what was never asked",
    (claim) => {
      addItem(claim);
      cancel(rowOf(claim, "item", 2));
    },
  ],
  [
    "Claim.item[0].productOrService is another service",
    "makes an item another service",
    (claim) => {
      const coding = [{ system: "http://www.cms.gov/Medicare/Coding/HCPCSReleaseCodeSets", code: "E0601" }];
      Object.assign(rowOf(claim, "item", 0), { productOrService: { coding } });
      flag(rowOf(claim, "item", 0), "changed");
    },
  ],
  [
    "Claim.supportingInfo[0].extension differs",
    "exchanges a document silently",
    (claim, bundle) => {
      withDocument(claim, bundle, { text: "second", sequence: 1 });
      claim["supportingInfo"] = rowsOf(claim, "supportingInfo").slice(1);
    },
  ],
  [
    "Claim.item[0].sequence was not asked",
    "cancels everything and names an item that never was",
    (claim) => {
      certify(claim, "3");
      claim["item"] = [{ ...rowOf(claim, "item", 0), sequence: 9 }];
    },
  ],
])("%s: an update that %s is refused, and told where", (expected, _, change) => {
  expect(problems(anUpdateOf(aLaterVersion(), change))).toContainEqual(expect.stringMatching(starting(expected)));
});

test("a first request that brings a second Claim is refused", () => {
  const bundle = aFirstBundle();
  entriesOf(bundle).push(...entriesOf(aFirstBundle()).slice(0, 1));
  expect(problems(bundle)).toContainEqual(expect.stringMatching(/^Bundle.entry must hold one Claim/));
});

test("2.0.1 replaces what it names by its identifier, and cancels item by item, not on the Claim", () => {
  const first = aFirstBundle({ version: "2.0.1" });
  const replacing = (change: (claim: Json) => unknown) => asOlderUpdate(anUpdateOf(first, change));
  const all = replacing((claim) => {
    for (const row of rowsOf(claim, "item")) cancel(row);
  });
  expect(checkSubmission(all, "2.0.1")).toMatchObject({ ok: true, change: { cancelsAll: true } });
  expect(problems(all, "2.2.1")).toContainEqual(expect.stringMatching(/relationship must be prior/));
  const nameless = replacing((claim) => certify(claim, "3"));
  resourceIn(nameless, "Claim")["related"] = [{ claim: {}, relationship: relationship("associated") }];
  expect(problems(nameless, "2.0.1")).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Claim.extension has certificationType on the whole Claim/),
      expect.stringMatching(/^Claim.related\[0\].relationship must be replaces/),
      expect.stringMatching(/^Claim.related\[0\].claim must name a Claim by its identifier/),
    ]),
  );
  expect(
    problems(
      anUpdateOf(first, () => undefined),
      "2.0.1",
    ),
  ).toContainEqual(expect.stringMatching(/^Bundle.entry must hold one Claim/));
});

test("2.0.1 names the version before by its trace number where the bundle holds one Claim, 2.2.1 never does", () => {
  const named = anUpdateOf(aFirstBundle({ version: "2.0.1" }), (claim, bundle) => {
    Object.assign((claim["related"] as Json[])[0] ?? {}, { claim: { identifier: { system: "urn:x", value: "T-1" } } });
    bundle["entry"] = entriesOf(bundle).filter(({ resource }, at) => at === 0 || resource["resourceType"] !== "Claim");
  });
  expect(checkSubmission(named, "2.0.1")).toMatchObject({ ok: true, change: { prior: undefined, traces: ["T-1"] } });
  expect(problems(named, "2.2.1")).toContainEqual(expect.stringMatching(/^Claim.related\[0\].claim must be another/));
});

test("the official 2.0.1 update, which leaves out the Claim it updates, is accepted there and nowhere else", () => {
  const update = example("2.0.1/Bundle-HomecareAuthorizationUpdateBundleExample");
  expect(checkSubmission(update, "2.0.1")).toMatchObject({ ok: true, change: { prior: undefined } });
  expect(problems(update, "2.2.1")).toContainEqual(expect.stringMatching(/^Claim.related must name/));
});
