import type { CheckFinding, Rule } from "./check.ts";
import { codeSystemOf, isNpi } from "#lib/task/model/formats";
import { isUnlistedProvider, type KnownProvider } from "#lib/practice/model/known-provider";
import { lacking, requiredText } from "#lib/task/model/required-fields";
import type { ServiceReview } from "#lib/task/model/service-review";
import { unknownMembers } from "#lib/task/model/unknown-members";

const together = (paths: readonly string[]): readonly CheckFinding[] => (paths.length > 0 ? [{ paths }] : []);

/** Rules about requester, patient and codes. */
export const requestRules: readonly Rule[] = [
  { type: "missing-required", find: ({ missing }) => together(missing) },
  { type: "payer-requires", find: ({ review, required }) => lackingAll(review, required) },
  { type: "npi-check-digit", find: ({ review }) => wrongNpis(review) },
  {
    type: "no-patient",
    find: ({ review }) => (review.patient?.lastName || review.subscriber?.memberId ? [] : [{}]),
  },
  { type: "unknown-provider", find: ({ review, providers }) => strangers(review, providers) },
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
  { type: "members-left", find: ({ leftOut }) => together(leftOut) },
  { type: "unknown-members", find: ({ review }) => together(unknownMembers(review)) },
];

/** Everything that the payer requires and the request lacks, as one finding, so that it goes back to the agent once. */
function lackingAll(review: ServiceReview, required: readonly string[]): readonly CheckFinding[] {
  const lacked = required.flatMap((field) => {
    const paths = lacking(review, field);
    return paths.length > 0 ? [{ field, paths }] : [];
  });
  if (lacked.length === 0) return [];
  return [{ paths: lacked.flatMap(({ paths }) => paths), values: lacked.map(({ field }) => requiredText(field)) }];
}

function strangers(
  { requestingProvider, renderingProviders = [] }: ServiceReview,
  known: readonly KnownProvider[],
): readonly CheckFinding[] {
  const given = [
    { role: "requesting", path: "/requestingProvider/npi", npi: requestingProvider?.npi } as const,
    ...renderingProviders.map(
      ({ npi }, index) => ({ role: "rendering", path: `/renderingProviders/${index}/npi`, npi }) as const,
    ),
  ];
  return given.flatMap(({ role, path, npi }) =>
    npi !== undefined && isUnlistedProvider(known, role, npi) ? [{ paths: [path], values: [npi, role] }] : [],
  );
}

function wrongNpis({ requestingProvider, renderingProviders = [] }: ServiceReview): readonly CheckFinding[] {
  const given = [
    { path: "/requestingProvider/npi", npi: requestingProvider?.npi },
    ...renderingProviders.map(({ npi }, index) => ({ path: `/renderingProviders/${index}/npi`, npi })),
  ];
  return given.flatMap(({ path, npi }) => (npi === undefined || isNpi(npi) ? [] : [{ paths: [path], values: [npi] }]));
}
