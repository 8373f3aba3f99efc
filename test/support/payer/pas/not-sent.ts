/** Why a must-support element is not sent: for elements whose `profile path` matches, the reason people read. */
type Reason = readonly [elements: RegExp, why: string];

/*
 * PAS 2.2.1, "Must Support": a client must be able to fill an element in where it has the data. Each reason here says why
 * the data does not exist in a service review, or why sending it would say something untrue.
 */
const reasons: readonly Reason[] = [
  [
    /^profile-claim-inquiry Claim\.(?:diagnosis|accident|extension:(?:conditionCode|homeHealthCareInformation)|item\.(?:diagnosis|information)Sequence)/,
    "clinical or about the circumstances, and the payer finds the case without it, by patient, payer, requester, services, days and providers",
  ],
  [
    /^profile-claim-inquiry Claim\.(?:item\.)?extension:authorizationNumber/,
    "in a request it is the number of an earlier authorization, and an inquiry with it would ask about that one",
  ],
  [
    /^profile-claim-inquiry Claim\.extension:certificationType/,
    "only the cancellation of a whole request has one, and the items have theirs",
  ],
  [
    /^profile-claim-inquiry Claim\.item\.extension:(?:cert\w+Date|reviewActionCode)/,
    "what the payer decided, and when, is what we ask; with our guess of it, another decision would not be found",
  ],
  [/Claim\.identifier\.extension:subDepartment/, "the sender has no departments of its own (X12 TRN04)"],
  [/Claim\.identifier\.extension:jurisdiction/, "a trace number is issued nationwide"],
  [
    /^profile-claim Claim\.extension:administrationReferenceNumber/,
    "a first request has no number of the payer yet; updates have it",
  ],
  [
    /Claim\.item\.extension:administrationReferenceNumber/,
    "the payer's reference names the whole request, so the Claim has it",
  ],
  [
    /Claim\.item\.informationSequence/,
    "notes and documents support the whole request; an agent cannot tie one to a line",
  ],
  [/Coverage\.type/, "the payer knows the kind of its own plan; the codes are licensed"],
  [
    /Coverage\.relationship\.coding:X12Code/,
    "sent; a slice that only a licensed value set tells apart cannot be recognized by a test",
  ],
  [/Patient\.address\.district/, "a US mailing address has no county"],
  [/Patient\.address\.period/, "an agent gives the address that is valid now"],
  [/Patient\.extension:(?:race|ethnicity|birthsex)/, "a payer must not decide by these, so they are not asked for"],
  [
    /^profile-insurer Organization\.(?:identifier:(?:NPI|TIN)|telecom|address)/,
    "the payer's own data: the connection names it by its payer id",
  ],
  [/^profile-(?:requestor|organization) Organization\.identifier:PI/, "a payer id belongs to a payer"],
  [
    /PractitionerRole\.(?:code|location|endpoint)/,
    "a provider is described by taxonomy, address and phone; the care team has the role",
  ],
  [/Encounter\.meta\.lastUpdated/, "the server that stores a resource fills it in"],
  [/Encounter\.identifier/, "a planned stay has no number yet"],
  [/Encounter\.reasonReference/, "the diagnoses are codes of the Claim, and no resources of their own"],
  [/Encounter\.hospitalization\.dischargeDisposition/, "a planned stay has not ended"],
  [/DocumentReference\.(?:identifier|author)/, "nothing is known of who wrote a file, or of a number it has elsewhere"],
  [/DocumentReference\.content\.attachment\.url/, "the bytes themselves are in the bundle"],
  [/DocumentReference\.content\.format/, "the content type says it"],
  [/DocumentReference\.context/, "the Claim names the encounter and its dates"],
  [/Location\.type/, "the place of service on each item says it"],
  [/extension:coverage$/, "belongs to coverage discovery (CRD), which the service does not take part in"],
  [/MedicationRequest\.category/, "a setting of care says nothing that the item does not"],
  [/MedicationRequest\.dosageInstruction\.doseAndRate/, "the directions are sent as text"],
  [/MedicationRequest\.dispenseRequest\.numberOfRepeats/, "the item's quantity is all that is requested"],
  [/NutritionOrder\.oralDiet/, "payers are asked for formula; a diet needs no authorization"],
];

/** Why an element is not sent; undefined where there is no reason on record. */
export function whyNotSent(element: string): string | undefined {
  return reasons.find(([elements]) => elements.test(element))?.[1];
}

/** The reasons by the text that selects their elements, so that a test finds those that explain nothing. */
export const reasonPatterns: readonly RegExp[] = reasons.map(([elements]) => elements);
