import type { Found, Rule } from "./check.ts";
import { codeSystemOf, isNpi } from "./formats.ts";
import type { ServiceReview } from "./service-review.ts";
import { unknownMembers } from "./unknown-members.ts";

const together = (paths: readonly string[]): readonly Found[] => (paths.length > 0 ? [{ paths }] : []);

/** Who asks, for whom, and in which codes. */
export const requestRules: readonly Rule[] = [
  { type: "missing-required", find: ({ missing }) => together(missing) },
  { type: "npi-check-digit", find: ({ review }) => wrongNpis(review) },
  {
    type: "no-patient",
    find: ({ review }) => (review.patient?.lastName || review.subscriber?.memberId ? [] : [{}]),
  },
  {
    type: "urgency-unattested",
    find: ({ review: { serviceLevelCode: level, urgentAttestation: attested } }) =>
      level === undefined || level === "E" || attested ? [] : [{ paths: ["/urgentAttestation"] }],
  },
  {
    type: "unknown-code-format",
    find: ({ review }) =>
      review.procedures.flatMap(({ code }, index) =>
        codeSystemOf(code) === undefined ? [{ paths: [`/procedures/${index}/code`], values: [code] }] : [],
      ),
  },
  { type: "unknown-members", find: ({ review }) => together(unknownMembers(review)) },
];

function wrongNpis({ requestingProvider, renderingProviders = [] }: ServiceReview): readonly Found[] {
  const given = [
    { path: "/requestingProvider/npi", npi: requestingProvider?.npi },
    ...renderingProviders.map(({ npi }, index) => ({ path: `/renderingProviders/${index}/npi`, npi })),
  ];
  return given.flatMap(({ path, npi }) => (npi === undefined || isNpi(npi) ? [] : [{ paths: [path], values: [npi] }]));
}
