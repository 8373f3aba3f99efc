import type { Procedure, ServiceReview } from "#lib/task/model/service-review";

type Part = string | false | undefined;

/**
 * What the contract has no member for and the payer's reviewer asks about, in words: notes of the provider. Codes stand as
 * they are, with the name of their list.
 */
export function wordsFor(review: ServiceReview): readonly string[] {
  const { facility, accident, conditions = [], dischargeDate, authorizationNumber, procedures } = review;
  return [
    ...said("Facility", [
      facility?.name,
      facility?.npi && `NPI ${facility.npi}`,
      facility?.addressLine1,
      facility?.addressLine2,
      facility?.city,
      [facility?.stateCode, facility?.zipCode].flatMap((each) => each ?? []).join(" "),
      facility?.phone && `phone ${facility.phone}`,
    ]),
    ...said("Accident", [
      accident?.date,
      accident?.typeCode && `type ${accident.typeCode} (X12 1362)`,
      accident?.stateCode && `in ${accident.stateCode}`,
    ]),
    ...conditions.flatMap(({ categoryCode, applies, codes }) =>
      said(`Conditions that ${applies ? "apply" : "do not apply"}`, [
        `${codes.join(" ")} (X12 1321)`,
        `category ${categoryCode} (X12 1136)`,
      ]),
    ),
    ...said("Discharge", [dischargeDate]),
    ...said("Earlier authorization", [authorizationNumber]),
    ...procedures.flatMap((procedure, index) => said(`Line ${index + 1}, ${procedure.code}`, ofLine(procedure))),
  ];
}

function ofLine(procedure: Procedure): readonly Part[] {
  const { codeEnd, unitPrice, renderingProviderNpis, authorizationNumber, epsdt, toothCode } = procedure;
  return [
    codeEnd && `to ${codeEnd}`,
    toothCode && `tooth ${toothCode}`,
    unitPrice !== undefined && `${unitPrice} USD per unit`,
    epsdt === true && "EPSDT",
    renderingProviderNpis && `provided by NPI ${renderingProviderNpis.join(", ")}`,
    authorizationNumber && `earlier authorization ${authorizationNumber}`,
  ];
}

function said(what: string, parts: readonly Part[]): readonly string[] {
  const words = parts.flatMap((part) => (part ? [part] : []));
  return words.length === 0 ? [] : [`${what}: ${words.join(", ")}`];
}
