import type { Bundle, Claim } from "fhir/r4";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Build } from "#lib/payer/connector";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { structuralProblems } from "#test/support/payer/pas/fhir";
import { bundleOf, inquiryAbout, updateOf, voidOf } from "#test/support/payer/pas/history";
import { anAttachment, attachments, completeReviews, fullReview } from "#test/support/payer/pas/reviews";
import { brokenInvariants, profileProblems } from "#test/support/payer/pas/profiles";
import { brokenRules } from "#test/support/payer/pas/rules/all";
import type { Kind } from "#test/support/payer/pas/rules/rule";
import { build } from "./build.ts";
import { check } from "./check.ts";

const versions = ["2.2.1", "2.0.1"] as const;
type Version = (typeof versions)[number];

/** Every bundle one case sends: a first request, two updates, the cancellation, and an inquiry about each. */
function everyBundle(first: Build, reviews: readonly Build["review"][], files: Build["attachments"][]) {
  const [second, third] = [1, 2].map((at) => ({ review: reviews[at] ?? first.review, attachments: files[at] ?? [] }));
  const from = { ...first, review: reviews[0] ?? first.review, attachments: files[0] ?? [] };
  const update = { ...updateOf(from, second), payerReference: "R1" };
  const again = { ...updateOf(update, third), payerReference: "R1" };
  const steps: readonly [Kind, Build, Build | undefined][] = [
    ["first", from, undefined],
    ["update", update, from],
    ["update", again, update],
    ["cancel", voidOf(again), again],
    ["cancel", voidOf(from), from],
  ];
  return steps.map(([kind, step, before]) => ({
    kind,
    bundle: bundleOf(step),
    before: before && bundleOf(before),
    inquiries: (["request", "any-service"] as const).map((example) => inquiryAbout(step, example)),
  }));
}

/** What FHIR, the profiles of PAS and the rules in its text have against any of them. */
function problemsOf(version: Version, ...of: Parameters<typeof everyBundle>): readonly string[] {
  return everyBundle(...of).flatMap(({ kind, bundle, before, inquiries }) => [
    ...structuralProblems(bundle),
    ...profileProblems(version, bundle),
    ...brokenRules({ bundle, version, kind, before }),
    ...inquiries.flatMap((inquiry) => [
      ...structuralProblems(inquiry),
      ...profileProblems(version, inquiry),
      ...brokenRules({ bundle: inquiry, version, kind: "inquiry" }),
    ]),
  ]);
}

describe.each(versions)("PAS %s", (version) => {
  const first = aBuild({ settings: { version } });

  test("everything sent of the smallest and the fullest review is FHIR R4 and keeps the rules of PAS", () => {
    const organization = aReview({ requestingProvider: { npi: "1234567893", organizationName: "Elm Street" } });
    const files = [[], [anAttachment("a", 2)], [anAttachment("a", 2), anAttachment("b", 3)]];
    for (const review of [aReview(), organization, fullReview]) {
      expect(problemsOf(version, first, [review], files)).toEqual([]);
      expect(problemsOf(version, first, [review, fullReview, aReview()], [])).toEqual([]);
    }
  });

  test("the same keeps the invariants of the profiles", () => {
    for (const review of [aReview(), fullReview]) {
      const files = [[anAttachment("a", 2)], [anAttachment("b", 3)]];
      for (const { bundle, inquiries } of everyBundle(first, [review, aReview(), fullReview], files))
        expect([bundle, ...inquiries].flatMap((each) => brokenInvariants(version, each))).toEqual([]);
    }
  });

  test("so is everything sent of any three reviews after one another, with any files", () => {
    fc.assert(
      fc.property(
        fc.tuple(completeReviews, completeReviews, completeReviews),
        fc.tuple(attachments, attachments, attachments),
        (reviews, files) => {
          fc.pre(reviews.every((review) => check(review).length === 0));
          expect(problemsOf(version, first, reviews, files)).toEqual([]);
        },
      ),
      { numRuns: 5 },
    );
  });

  test("the same input gives the same bytes, whoever builds them", () => {
    fc.assert(
      fc.property(completeReviews, completeReviews, attachments, (review, other, files) => {
        fc.pre([review, other].every((each) => check(each).length === 0));
        const from = { ...first, review, attachments: files };
        for (const step of [from, updateOf(from, { review: other }), voidOf(updateOf(from, { review: other }))]) {
          expect(build(structuredClone(step))).toEqual(build(step));
        }
      }),
      { numRuns: 10 },
    );
  });
});

describe("the published profiles", () => {
  const version = "2.2.1";
  const bundle = bundleOf(aBuild({ review: fullReview, attachments: [anAttachment("a")] }));
  type DamagedClaim = { claim: Claim; of: (type: string) => Record<string, unknown> };

  test.each<[string, (damaged: DamagedClaim) => void, RegExp]>([
    ["a payer's id without a system", ({ of }) => delete identifierOf(of("Organization")).system, /identifier\.system/],
    ["a role without contact information", ({ of }) => delete of("PractitionerRole")["telecom"], /pd-1/],
    ["an item without its request type", ({ claim }) => claim.item?.[0]?.extension?.shift(), /requestType occurs 0/],
    ["a place of another system", ({ claim }) => recoded(claim, "locationCodeableConcept"), /X12278LocationType/],
    ["a service of an unknown system", ({ claim }) => recoded(claim, "productOrService"), /X12278RequestedServiceType/],
    ["a condition of an X12 list that is not its own", ({ claim }) => misplaced(claim), /X12278ConditionCode/],
    ["a gender that FHIR lacks", ({ of }) => (of("Patient")["gender"] = "F"), /administrative-gender/],
    ["a Claim that is no preauthorization", ({ claim }) => (claim.use = "claim"), /use is not/],
    ["no item at all", ({ claim }) => delete claim.item, /item occurs 0/],
    ["a member id of another type", ({ of }) => delete identifierOf(of("Coverage")).type, /memberid occurs 0/],
    ["an extension of another meaning", ({ claim }) => renamed(claim, "requestType"), /requestType occurs 0/],
  ])("find %s", (_, damage, problem) => {
    const damaged = structuredClone(bundle);
    const of = (type: string) =>
      damaged.entry?.find(({ resource }) => resource?.resourceType === type)?.resource as unknown as Record<
        string,
        unknown
      >;
    damage({ claim: of("Claim") as unknown as Claim, of });
    const problemsIn = (each: Bundle) => [...profileProblems(version, each), ...brokenInvariants(version, each)];
    expect(problemsIn(bundle)).toEqual([]);
    expect(problemsIn(damaged).join("\n")).toMatch(problem);
  });
});

function identifierOf(of: Record<string, unknown>): { system?: string; type?: unknown } {
  return (of["identifier"] as { system?: string; type?: unknown }[])[0] ?? {};
}

function renamed({ item }: Claim, name: string): void {
  const [first] = item?.[0]?.extension ?? [];
  if (first) first.url = `${first.url}-${name}`;
}

function recoded({ item }: Claim, name: "locationCodeableConcept" | "productOrService"): void {
  const [first] = item ?? [];
  if (first) first[name] = { coding: [{ system: "urn:oid:1.2.3", code: "1" }] };
}

/** Gives the first condition a code of the list of its category. */
function misplaced({ extension = [] }: Claim): void {
  const condition = extension.find(({ url }) => url.endsWith("extension-conditionCode"));
  const named = condition?.extension?.find(({ url }) => url === "code");
  if (named)
    named.valueCodeableConcept = { coding: [{ system: "https://codesystem.x12.org/005010/1136", code: "07" }] };
}
