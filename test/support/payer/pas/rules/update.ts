import { isDeepStrictEqual } from "node:util";
import type { Claim, ClaimItem, ClaimSupportingInfo } from "fhir/r4";
import { all, claimIn, codeOf, extensionOf, guide, later, type Rule, type Sample } from "./rule.ts";

const x12Certification = "https://codesystem.x12.org/005010/1322";
const relationships = "http://terminology.hl7.org/CodeSystem/ex-relatedclaimrelationship";

/** PAS "Updating Authorization Requests", and what a first request must not have of it. */
export const updateRules: readonly Rule[] = [
  {
    name: "a first request refers to no earlier one and changes nothing",
    kinds: ["first"],
    isMet: ({ bundle }) => {
      const claim = claimIn(bundle);
      const lines = linesOf(claim);
      return (
        claim.related === undefined &&
        lines.every((line) => markOf(line) === undefined && !isCancelled(line)) &&
        (claim.item ?? []).every((item) => certificationOf(item) !== "3") &&
        certificationOf(claim) === undefined
      );
    },
  },
  {
    name: "the Claim is new, and related as prior to the one before",
    kinds: later,
    isMet: ({ bundle, before }) => {
      const claim = claimIn(bundle);
      const [related, ...more] = claim.related ?? [];
      return (
        more.length === 0 &&
        codeOf(related?.relationship, relationships) === "prior" &&
        bundle.entry?.[0]?.fullUrl !== before?.entry?.[0]?.fullUrl &&
        bundle.identifier?.value !== before?.identifier?.value &&
        !isDeepStrictEqual(claim.identifier, before && claimIn(before).identifier)
      );
    },
  },
  {
    name: "the Claim before is in the bundle as it was sent, and the one before that is not",
    kinds: later,
    versions: ["2.2.1"],
    isMet: ({ bundle, before }) => {
      const reference = claimIn(bundle).related?.[0]?.claim?.reference;
      const earlier = bundle.entry?.find(({ fullUrl }) => fullUrl === reference);
      return (
        earlier !== undefined &&
        isDeepStrictEqual(earlier.resource, before?.entry?.[0]?.resource) &&
        all(bundle, "Claim").length === 2
      );
    },
  },
  {
    name: "the Claim before is named by its trace number, for one Claim is all a bundle holds",
    kinds: later,
    versions: ["2.0.1"],
    isMet: ({ bundle, before }) => {
      const [related] = claimIn(bundle).related ?? [];
      return (
        isDeepStrictEqual(related?.claim?.identifier, before && claimIn(before).identifier?.[0]) &&
        related?.relationship?.text === "replaces" &&
        all(bundle, "Claim").length === 1
      );
    },
  },
  {
    name: "every item and every piece of information ever sent keeps its sequence",
    kinds: later,
    isMet: (sample) =>
      pairs(sample).every(([line, earlier]) => line !== undefined && subjectOf(line) === subjectOf(earlier)),
  },
  {
    name: "what is added, changed or cancelled says so, and nothing else does",
    kinds: later,
    isMet: (sample) => {
      const earlier = new Map(pairs(sample).map(([line, before]) => [line, before]));
      return linesOf(claimIn(sample.bundle)).every((line) => markOf(line) === markFor(line, earlier.get(line)));
    },
  },
  {
    name: "a cancelled item says so twice",
    kinds: later,
    isMet: ({ bundle }) =>
      (claimIn(bundle).item ?? []).every((item) => isCancelled(item) === (certificationOf(item) === "3")),
  },
  {
    name: "what was cancelled stays cancelled",
    kinds: later,
    isMet: (sample) =>
      pairs(sample).every(
        ([line, earlier]) => !("productOrService" in earlier) || !isCancelled(earlier) || isCancelled(line),
      ),
  },
  {
    name: "an update does not cancel the whole request",
    kinds: ["update"],
    isMet: ({ bundle }) => certificationOf(claimIn(bundle)) === undefined,
  },
  {
    name: "a cancellation marks the Claim and leaves the items as they were",
    kinds: ["cancel"],
    versions: ["2.2.1"],
    isMet: (sample) =>
      certificationOf(claimIn(sample.bundle)) === "3" &&
      pairs(sample).every(([line, earlier]) => isCancelled(line) === isCancelled(earlier)),
  },
  {
    name: "a cancellation cancels every item, for the Claim has no mark for it",
    kinds: ["cancel"],
    versions: ["2.0.1"],
    isMet: ({ bundle }) =>
      certificationOf(claimIn(bundle)) === undefined && (claimIn(bundle).item ?? []).every((item) => isCancelled(item)),
  },
];

type Line = ClaimItem | ClaimSupportingInfo;

/** Every line of the earlier Claim with the one under its sequence now. */
function pairs({ bundle, before }: Sample): readonly (readonly [line: Line | undefined, earlier: Line])[] {
  const now = claimIn(bundle);
  const then = before ? claimIn(before) : undefined;
  const same = <Kind extends Line>(lines: readonly Kind[] = [], earlier: readonly Kind[] = []) =>
    earlier.map((each) => [lines.find(({ sequence }) => sequence === each.sequence), each] as const);
  return [...same(now.item, then?.item), ...same(now.supportingInfo, then?.supportingInfo)];
}

function linesOf({ item = [], supportingInfo = [] }: Claim): readonly Line[] {
  return [...item, ...supportingInfo];
}

/** What a line is about, which never changes under a sequence. */
function subjectOf(line: Line): string {
  if ("productOrService" in line) return JSON.stringify([line.productOrService.coding, line.modifier]);
  return JSON.stringify([line.category.coding, line.valueString, line.valueReference]);
}

function markFor(line: Line, earlier: Line | undefined): string | undefined {
  if (earlier === undefined) return "added";
  return isCancelled(line) !== isCancelled(earlier) || !isDeepStrictEqual(contentOf(line), contentOf(earlier))
    ? "changed"
    : undefined;
}

/** A line without the marks of an update, as the official test kit compares lines. */
function contentOf({ modifierExtension: _, extension = [], ...line }: Line): unknown {
  const marks = ["infoChanged", "certificationType"].map((name) => `${guide}/extension-${name}`);
  return { ...line, extension: extension.filter(({ url }) => !marks.includes(url)) };
}

function markOf(line: Line): string | undefined {
  return extensionOf(line, "infoChanged")?.valueCode;
}

function isCancelled(line: Line | undefined): boolean {
  const mark = line?.modifierExtension?.find(({ url }) => url === `${guide}/modifierextension-infoCancelled`);
  return mark?.valueBoolean === true;
}

function certificationOf(of: ClaimItem | Claim): string | undefined {
  return codeOf(extensionOf(of, "certificationType")?.valueCodeableConcept, x12Certification);
}
