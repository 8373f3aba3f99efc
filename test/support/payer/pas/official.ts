import { providersIn } from "#lib/payer/pas-fhir/providers";
import { requestedCoverage } from "#lib/payer/pas-fhir/coverage";
import type { FrozenRequest } from "#lib/payer/pas-fhir/frozen-request";
import { someCall } from "./build.ts";
import { example } from "./example.ts";

type Json = Record<string, unknown>;
type Entry = { readonly fullUrl: string; readonly resource: Json };

const { entry } = example("2.2.1/Bundle-ReferralAuthorizationBundleExample") as { entry: readonly Entry[] };
const insurer = "http://example.org/fhir/Organization/InsurerExample";

/** What the official referral request says, as far as an answer is held against it. */
export const official: FrozenRequest = {
  call: someCall,
  bundleId: "A12345",
  trace: { system: "urn:trnorg:9012345678", value: "111099" },
  claimUrl: "http://example.org/fhir/Claim/ReferralAuthorizationExample",
  patientUrl: "http://example.org/fhir/Patient/SubscriberExample",
  memberId: "12345678901",
  patient: { names: [{ family: "SMITH", given: ["JOE"] }], sex: "male" },
  coverage: requestedCoverage("http://example.org/fhir/Coverage/InsuranceExample", entry),
  test: false,
  items: new Map([[1, { code: "3" }]]),
  providers: providersIn(entry.filter(({ fullUrl }) => fullUrl !== insurer)),
  cancelled: new Set(),
};
