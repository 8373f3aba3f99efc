import type { Node } from "#simulator/json";
import { testTag, topicUrl } from "./vocabulary.ts";
import type { PasVersion } from "./version.ts";

const backport = "http://hl7.org/fhir/uv/subscriptions-backport";
const topicExtension = `${backport}/StructureDefinition/capabilitystatement-subscriptiontopic-canonical`;
const statusOperation = `${backport}/OperationDefinition/backport-subscription-status`;
const operations = "http://hl7.org/fhir/us/davinci-pas/OperationDefinition";

/** What `GET /fhir/metadata` states: FHIR R4, JSON, the two PAS operations, and subscriptions to the PAS topic. */
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
        security: {
          service: [
            {
              coding: [
                { system: "http://terminology.hl7.org/CodeSystem/restful-security-service", code: "SMART-on-FHIR" },
              ],
            },
          ],
          description: "A bearer credential: a fixed one, or a token by SMART Backend Services.",
        },
        resource: [
          {
            type: "Claim",
            operation: [
              { name: "submit", definition: `${operations}/Claim-submit` },
              { name: "inquire", definition: `${operations}/Claim-inquiry` },
            ],
          },
          {
            extension: [{ url: topicExtension, valueCanonical: topicUrl }],
            type: "Subscription",
            interaction: [{ code: "create" }, { code: "read" }, { code: "delete" }],
            operation: [{ name: "status", definition: statusOperation }],
          },
        ],
      },
    ],
  };
}
