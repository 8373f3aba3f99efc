import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { formatted } from "#test/support/docs/formatted";
import { aBuild, aReview } from "#test/support/payer/pas/build";
import { bundleOf, inquiryAbout, updateOf, voidOf } from "#test/support/payer/pas/history";
import { reasonPatterns, whyNotSent } from "#test/support/payer/pas/not-sent";
import { mustSupport, profileProblems } from "#test/support/payer/pas/profiles";
import { anAttachment, fullReview } from "#test/support/payer/pas/reviews";

const versions = ["2.2.1", "2.0.1"] as const;
type Version = (typeof versions)[number];

const profiles = [
  ...["pas-request-bundle", "pas-inquiry-request-bundle", "claim", "claim-update", "claim-inquiry"],
  ...["requestor", "insurer", "organization", "practitioner", "practitionerrole"],
  ...["coverage", "subscriber", "beneficiary", "documentreference", "encounter", "location"],
  ...["servicerequest", "devicerequest", "medicationrequest", "nutritionorder"],
].map((name) => `profile-${name}`);

const page = new URL("../../../docs/pas-conformance.md", import.meta.url);
const rows: { profile: string; element: string; cells: (string | undefined)[] }[] = [];
let written = "";

/** A clinic that asks for one outpatient service on one day, which has what a hospital's admission has not. */
const clinic = {
  requestingProvider: {
    ...fullReview.requestingProvider,
    npi: "1234567893",
    lastName: undefined,
    firstName: undefined,
  },
  facility: fullReview.facility,
  toDate: undefined,
};

/** The must-support elements of everything sent, with a sender, for the fullest cases. */
function sentElements(version: Version): ReadonlySet<string> {
  const seen = new Set<string>();
  const first = aBuild({ settings: { version, subscription: "rest-hook", senderId: "1234567893" } });
  const visit = { ...first, review: aReview(clinic) };
  const stay = { ...first, review: fullReview, attachments: [anAttachment("a")] };
  const oneDay = { ...first, review: { ...fullReview, toDate: undefined, dischargeDate: undefined } };
  const roles = fullReview.renderingProviders?.map((each) => ({
    ...each,
    roleCode: "72",
    specialtyCode: "225100000X",
  }));
  const team = { ...first, review: { ...fullReview, renderingProviders: roles } };
  const days = { ...first, review: aReview({ ...clinic, toDate: "2026-12-31" }) };
  for (const from of [visit, days, stay, oneDay, team]) {
    // An update that changes every item, drops one and takes back what the notes said.
    const procedures = from.review.procedures.slice(0, Math.max(1, from.review.procedures.length - 1));
    const review = { ...from.review, procedures, placeOfServiceCode: "22", providerNotes: [] };
    const update = { ...updateOf(from, { review, attachments: from.attachments }), payerReference: "R1" };
    const inquiries = [inquiryAbout(from), inquiryAbout(from, "any-service")];
    for (const bundle of [bundleOf(from), bundleOf(update), bundleOf(voidOf(update)), ...inquiries])
      expect(profileProblems(version, bundle, seen)).toEqual([]);
  }
  return seen;
}

beforeAll(() => {
  written = readFileSync(page, "utf8");
  const sent = new Map(versions.map((version) => [version, sentElements(version)]));
  const has = (version: Version, profile: string) => (isIn(version, profile) ? mustSupport(version, profile) : []);
  for (const profile of profiles) {
    const elements = new Set(versions.flatMap((version) => has(version, profile)));
    for (const element of elements) {
      const cells = versions.map((version) => {
        if (!has(version, profile).includes(element)) return "";
        return sent.get(version)?.has(element) ? "sent" : whyNotSent(element);
      });
      rows.push({ profile, element: element.replace(`${profile} `, ""), cells });
    }
  }
});

function isIn(version: Version, profile: string): boolean {
  return version === "2.2.1" || profile !== "profile-documentreference";
}

test("every must-support element of the PAS profiles is sent, or has its reason why not", () => {
  expect(rows.length).toBeGreaterThan(300);
  const open = rows.filter(({ cells }) => cells.includes(undefined));
  expect(open.map(({ profile, element }) => `${profile} ${element}`)).toEqual([]);
});

test("every reason explains an element that is not sent", () => {
  const unsent = rows.filter(({ cells }) => cells.some((cell) => cell !== "sent" && cell !== ""));
  const unused = reasonPatterns.filter(
    (each) => !unsent.some(({ profile, element }) => each.test(`${profile} ${element}`)),
  );
  expect(unused).toEqual([]);
});

test("docs/pas-conformance.md says of each element what this test finds", async () => {
  const marker = "<!-- The tables below are written and checked by lib/payer/pas-fhir/must-support.test.ts. -->";
  const [head = ""] = written.split(marker);
  const text = await formatted(page.pathname, `${head}${marker}\n\n${tables()}`);
  await expect(text).toMatchFileSnapshot(page.pathname);
});

function tables(): string {
  return [summary(), ...profiles.map(tableOf)].join("\n\n");
}

function summary(): string {
  const lines = profiles.map((profile) => {
    const own = rows.filter((row) => row.profile === profile);
    const counts = versions.map((_, index) => {
      const cells = own.map(({ cells }) => cells[index]).filter((cell) => cell !== "");
      return cells.length === 0
        ? "no such profile"
        : `${cells.filter((cell) => cell === "sent").length} of ${cells.length}`;
    });
    return `| [${profile}](#${profile}) | ${counts.join(" | ")} |`;
  });
  return ["| profile | sent, 2.2.1 | sent, 2.0.1 |", "| --- | --- | --- |", ...lines].join("\n");
}

function tableOf(profile: string): string {
  const own = rows.filter((row) => row.profile === profile);
  const lines = own.map(({ element, cells }) => `| \`${element}\` | ${cells.join(" | ")} |`);
  return [`## ${profile}`, "", "| element | 2.2.1 | 2.0.1 |", "| --- | --- | --- |", ...lines].join("\n");
}
