/** The members of a service review in the vendor's contract whose names speak of a decision or a quantity, by their place. */
const known: Readonly<Record<"review" | "procedure" | "patient", ReadonlySet<string>>> = {
  review: new Set([
    ...["statusCode", "status", "statusReasons", "expirationDate", "validationMessages"],
    ...["certificationNumber", "certificationIssueDate", "certificationEffectiveDate", "certificationExpirationDate"],
    ...["quantity", "quantityType", "quantityTypeCode"],
    ...["spinalCondition", "spinalConditionCode", "spinalConditionDescription"],
    ...["nursingHomeResidentialStatus", "nursingHomeResidentialStatusCode"],
  ]),
  procedure: new Set([
    ...["statusCode", "status", "statusReasons", "quantity", "quantityType", "quantityTypeCode"],
    ...["certificationNumber", "certificationIssueDate", "certificationEffectiveDate", "certificationExpirationDate"],
  ]),
  patient: new Set(["statusCode", "status", "condition", "conditionCode"]),
};

/** What the contract has a member for and no request of ours fills in: if it comes back, the payer has stated it. */
const unrequested: ReadonlySet<string> = new Set([
  "supplementalInformation",
  "chiropracticTreatmentCount",
  "homeHealthCertificationPeriodStartDate",
  "homeHealthCertificationPeriodEndDate",
  "oxygenDailyUseCount",
  "oxygenUsePeriodHourCount",
  "oxygenFlowRate",
  "transportDistance",
]);

const decisive =
  /status|certif|authori[sz]|approv|den(?:y|ied|ial)|decision|determin|quantity|units|visits|error|message$|reason|condition|expir|effective|reject|pended|pending|servicereviews/i;
const ofErrors: ReadonlySet<string> = new Set([
  "userMessage",
  "developerMessage",
  "reasonCode",
  "errors",
  "statusCode",
]);

/** Notes and messages are read by people; their texts are no members. */
const readByPeople: ReadonlySet<string> = new Set(["providerNotes", "payerNotes", "notes", "validationMessages"]);

type Place = keyof typeof known | "other";

/**
 * Whether a service review has a member that speaks of a decision, a quantity or an error outside of where the contract has
 * one, or one that no request of ours fills in. Goes as deep as the value does, without recursion.
 */
export function decidesElsewhere(review: unknown): boolean {
  const open: { readonly value: unknown; readonly place: Place }[] = [{ value: review, place: "review" }];
  for (let at = open.pop(); at; at = open.pop()) {
    const { value, place } = at;
    if (Array.isArray(value)) for (const each of value as readonly unknown[]) open.push({ value: each, place });
    if (!isRecord(value)) continue;
    for (const [name, member] of Object.entries(value)) {
      if (readByPeople.has(name)) continue;
      if (!isOutOfPlace(name, place)) open.push({ value: member, place: placeOf(name, place) });
      else if (!isBlank(member)) return true;
    }
  }
  return false;
}

function isOutOfPlace(name: string, place: Place): boolean {
  if (place === "review" && unrequested.has(name)) return true;
  return decisive.test(name) && (place === "other" || !known[place].has(name));
}

/** Whether a list of service reviews has the members of an error beside them. */
export function isErrorBeside(page: unknown): boolean {
  return isRecord(page) && Object.entries(page).some(([name, member]) => ofErrors.has(name) && !isBlank(member));
}

function placeOf(name: string, within: Place): Place {
  if (within !== "review") return "other";
  if (name === "procedures") return "procedure";
  return name === "patient" ? "patient" : "other";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a member says nothing, however deep its emptiness goes. */
function isBlank(value: unknown): boolean {
  const open = [value];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each === "object" && each !== null) for (const inner of Object.values(each)) open.push(inner);
    else if (!(typeof each === "string" && each.trim() === "") && each !== null && each !== undefined && each !== false)
      return false;
  }
  return true;
}
