import { factNoteLabels as labels } from "#lib/messages/labels/payer-notes";
import type { Procedure, ServiceReview } from "#lib/task/model/service-review";

type Part = string | false | undefined;

/**
 * What the contract has no member for and the payer's reviewer asks about, in words: notes of the provider. Codes stand as
 * they are, with the name of their list.
 */
export function factNotes(review: ServiceReview): readonly string[] {
  const { facility, accident, conditions = [], dischargeDate, authorizationNumber, procedures } = review;
  return [
    ...note(labels.facility, [
      facility?.name,
      facility?.npi && labels.npi(facility.npi),
      facility?.addressLine1,
      facility?.addressLine2,
      facility?.city,
      [facility?.stateCode, facility?.zipCode].flatMap((each) => each ?? []).join(" "),
      facility?.phone && labels.phone(facility.phone),
    ]),
    ...note(labels.accident, [
      accident?.date,
      accident?.typeCode && labels.accidentType(accident.typeCode),
      accident?.stateCode && labels.accidentState(accident.stateCode),
    ]),
    ...conditions.flatMap(({ categoryCode, applies, codes }) =>
      note(applies ? labels.conditions : labels.conditionsAbsent, [
        labels.conditionCodes(codes),
        labels.conditionCategory(categoryCode),
      ]),
    ),
    ...note(labels.discharge, [dischargeDate]),
    ...note(labels.earlier, [authorizationNumber]),
    ...procedures.flatMap((procedure, index) => note(labels.line(index + 1, procedure.code), ofLine(procedure))),
  ];
}

function ofLine(procedure: Procedure): readonly Part[] {
  const { codeEnd, unitPrice, renderingProviderNpis, authorizationNumber, epsdt, toothCode } = procedure;
  return [
    codeEnd && labels.codeEnd(codeEnd),
    toothCode && labels.tooth(toothCode),
    unitPrice !== undefined && labels.unitPrice(unitPrice),
    epsdt === true && labels.epsdt,
    renderingProviderNpis && labels.providers(renderingProviderNpis),
    authorizationNumber && labels.earlierNumber(authorizationNumber),
  ];
}

function note(what: string, parts: readonly Part[]): readonly string[] {
  const present = parts.flatMap((part) => (part ? [part] : []));
  return present.length === 0 ? [] : [`${what}: ${present.join(", ")}`];
}
