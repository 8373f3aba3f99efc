/** What a payer reads beside the provider's own notes, and in the subscription that it is asked for. */
export const payerNotes = {
  retrospective: (reason: string) => `Reason for the retrospective request: ${reason}`,
  emergency: (reason: string) => `Reason for the emergency: ${reason}`,
  subscription: "Decisions on the prior authorizations this system sent.",
} as const;

/** What a payer reads in a note about a fact that its wire has no member for. Codes stand with the name of their list. */
export const factNoteLabels = {
  facility: "Facility",
  accident: "Accident",
  conditions: "Conditions that apply",
  conditionsAbsent: "Conditions that do not apply",
  discharge: "Discharge",
  earlier: "Earlier authorization",
  epsdt: "EPSDT",
  line: (number: number, code: string) => `Line ${number}, ${code}`,
  npi: (npi: string) => `NPI ${npi}`,
  phone: (phone: string) => `phone ${phone}`,
  accidentType: (code: string) => `type ${code} (X12 1362)`,
  accidentState: (code: string) => `in ${code}`,
  conditionCodes: (codes: readonly string[]) => `${codes.join(" ")} (X12 1321)`,
  conditionCategory: (code: string) => `category ${code} (X12 1136)`,
  codeEnd: (code: string) => `to ${code}`,
  tooth: (code: string) => `tooth ${code}`,
  unitPrice: (price: number) => `${price} USD per unit`,
  providers: (npis: readonly string[]) => `provided by NPI ${npis.join(", ")}`,
  earlierNumber: (number: string) => `earlier authorization ${number}`,
} as const;
