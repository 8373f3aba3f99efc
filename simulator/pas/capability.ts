import type { Node } from "#simulator/json";
import { testTag } from "./vocabulary.ts";
import type { PasVersion } from "./version.ts";

const operations = "http://hl7.org/fhir/us/davinci-pas/OperationDefinition";

/** What `GET /fhir/metadata` states: FHIR R4, JSON, the two PAS operations. */
export function capabilityStatement(version: PasVersion): Node {
  return {
    resourceType: "CapabilityStatement",
    meta: { tag: [{ ...testTag }] },
    status: "active",
    experimental: true,
    date: "2026-11-20",
    kind: "instance",
    software: { name: "Prior authorization payer simulator" },
    implementation: { description: "A simulated payer for tests. It decides nothing real." },
    fhirVersion: "4.0.1",
    format: ["application/fhir+json"],
    implementationGuide: [`http://hl7.org/fhir/us/davinci-pas/ImplementationGuide/hl7.fhir.us.davinci-pas|${version}`],
    rest: [
      {
        mode: "server",
        security: { description: "A bearer credential." },
        resource: [
          {
            type: "Claim",
            operation: [
              { name: "submit", definition: `${operations}/Claim-submit` },
              { name: "inquire", definition: `${operations}/Claim-inquiry` },
            ],
          },
        ],
      },
    ],
  };
}
