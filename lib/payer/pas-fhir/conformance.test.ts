import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Build } from "#lib/payer/connector";
import { aBuild, aReview } from "#test/support/pas/build";
import { structuralProblems } from "#test/support/pas/fhir";
import { bundleOf, inquiryAbout, updateOf, voidOf } from "#test/support/pas/history";
import { anAttachment, attachments, completeReviews, fullReview } from "#test/support/pas/reviews";
import { brokenRules } from "#test/support/pas/rules/all";
import type { Kind } from "#test/support/pas/rules/rule";
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
    asked: inquiryAbout(step),
  }));
}

/** What FHIR and PAS have against any of them. */
function problemsOf(version: Version, ...of: Parameters<typeof everyBundle>): readonly string[] {
  return everyBundle(...of).flatMap(({ kind, bundle, before, asked }) => [
    ...structuralProblems(bundle),
    ...brokenRules({ bundle, version, kind, before }),
    ...structuralProblems(asked),
    ...brokenRules({ bundle: asked, version, kind: "inquiry" }),
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
