import type { ClaimDiagnosis } from "fhir/r4";
import type { Diagnosis, ServiceReview } from "#lib/task/model/service-review";
import { concept, defined, described } from "./parts.ts";
import { extensions, systems } from "./vocabulary.ts";

/**
 * The diagnoses of a request, in the order of the sheet. In an update a
 * diagnosis sent before keeps its sequence, so that the items that point at it
 * stay the same, and a new one takes a sequence never used before.
 */
export function diagnosesOf(
  { diagnoses = [] }: ServiceReview,
  before: readonly ClaimDiagnosis[] = [],
): ClaimDiagnosis[] {
  const free = [...before];
  let last = Math.max(0, ...before.map(({ sequence }) => sequence));
  const marked = diagnoses.some(({ qualifierCode }) => qualifierCode === "ABK");
  return diagnoses.map((diagnosis, index) => {
    const code = dotted(diagnosis.code);
    const at = free.findIndex(({ diagnosisCodeableConcept }) => diagnosisCodeableConcept?.coding?.[0]?.code === code);
    const kept = at < 0 ? undefined : free.splice(at, 1)[0];
    return diagnosisOf(diagnosis, kept?.sequence ?? ++last, !marked && index === 0);
  });
}

/** The first diagnosis is the principal one where none is marked so; PAS has no code for "other". */
function diagnosisOf(
  { code, qualifierCode, description, date }: Diagnosis,
  sequence: number,
  leads: boolean,
): ClaimDiagnosis {
  const principal = qualifierCode === "ABK" || (leads && qualifierCode === undefined);
  const type = principal ? "principal" : qualifierCode === "ABJ" ? "admitting" : undefined;
  return defined<ClaimDiagnosis>({
    extension: date === undefined ? undefined : [{ url: extensions.diagnosisRecordedDate, valueDate: date }],
    sequence,
    diagnosisCodeableConcept: described(concept(systems.icd10cm, dotted(code)), description),
    type: type === undefined ? undefined : [concept(systems.temporary, type)],
  });
}

function dotted(code: string): string {
  return code.length > 3 && !code.includes(".") ? `${code.slice(0, 3)}.${code.slice(3)}` : code;
}
