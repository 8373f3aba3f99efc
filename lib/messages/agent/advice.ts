import { nearDays } from "#lib/gate/model/near-days";

/** Why a member that `missing` names is there, and what mends it. */
export const missingTexts = {
  absent: { problem: "is missing", fix: "Send it" },
  reversed: { problem: "is before the first day", fix: "Send a day that is not before the first one" },
  "too-many": { problem: "is one more than this payer takes", fix: "Leave it and those after it out" },
  "second-principal": { problem: "is a second principal diagnosis", fix: "Give ABK to one diagnosis only" },
  "no-known-code": {
    problem: "has the format of no code that this payer takes",
    fix: "Send a CPT, HCPCS or ICD-10-PCS code",
  },
  "unknown-provider": {
    problem: "names an NPI that isn't one of the rendering providers'",
    fix: "Name only NPIs of renderingProviders, or add the provider there",
  },
  "not-carried": {
    problem: "cannot be sent to this payer as it is",
    fix: "Send another value, or leave it out where it is not needed",
  },
} as const;

/** The fix with the member's rule, where it has one. */
export function fixText(reason: keyof typeof missingTexts, rule: string | undefined): string {
  const { fix } = missingTexts[reason];
  return rule === undefined ? `${fix}.` : `${fix}; it ${rule}.`;
}

type WarningText = (values: readonly string[]) => string;

/** What an agent reads of each warning. They say what is odd; the practice decides. */
export const warningTexts = {
  "exact-duplicate": ([, other]) =>
    `Task ${other} asks for the same and is released or with the payer, so this one cannot be released. Continue that task instead.`,
  "same-request-open": ([, other]) => `Task ${other} asks for the same and waits too. Cancel one of them.`,
  "existing-approval": (values) => approvedText(values),
  "near-duplicate": ([codes, other]) =>
    `Task ${other} asks for ${codes} for the same member within ${nearDays} days of these days.`,
  "unknown-provider": ([npi, role]) => `${npi} isn't one of the practice's ${role} providers.`,
  "members-left": () => "This payer connection has no place for this, so it is not submitted.",
  "files-left": () => "This payer connection carries no files: a person sends them apart from the request.",
  "no-patient": () => "No patient is named.",
  "urgency-unattested": () => "It is marked urgent without an attestation.",
  "unknown-code-format": ([code]) => `${code} has the format of no procedure code (CPT, HCPCS or ICD-10-PCS).`,
  "unknown-members": () => "This member is not known here: it is kept, shown to the reviewer and never sent.",
  "dates-over": ([last]) => `The last day asked for, ${last}, is more than a year ago; this cannot be released.`,
  "dates-reversed": ([from, to]) => `It ends before it begins: from ${from} to ${to}.`,
  "past-dates": ([first]) => `It begins on ${first}, which is past.`,
  "far-dates": ([day]) => `${day} is more than twelve months ahead.`,
  "unusual-quantity": ([quantity, unit]) => `A quantity of ${quantity} ${unit} is unusual.`,
  "old-note": ([date]) => `The note of ${date} is more than 90 days old.`,
  "birth-date-ahead": ([day]) => `The birth date ${day} is in the future.`,
  "note-ahead": ([day]) => `The note's day ${day} is in the future.`,
  "control-characters": () => "This name has control characters.",
  "diagnosis-twice": ([code]) => `The diagnosis ${code} is given twice.`,
  "procedure-twice": () => "The same line is given twice.",
  "unlisted-relationship": ([code]) => `${code} isn't a relationship that X12 278 lists.`,
  "unlisted-place": ([code]) => `${code} isn't a place of service that CMS lists.`,
  "unlisted-unit": ([code]) => `${code} isn't a unit that X12 278 lists.`,
  "unlisted-payer": ([id, ...meant]) =>
    `${id} isn't a payer of this practice, so a person would submit the request.${meant.length > 0 ? ` Did you mean ${new Intl.ListFormat("en", { type: "disjunction" }).format(meant)}?` : ""}`,
  "delegated-in-part": ([rule, code]) =>
    `The payer has others review ${code} (${rule}). Because this request includes more, it goes to the payer as a whole; a request of its own would go to the reviewer.`,
  "file-not-sent": () => "No file of this request has this name, so what it says is said of none.",
  "unlisted-certification-type": ([code]) => `${code} isn't a certification type that X12 278 lists.`,
  "unlisted-service-type": ([code]) => `${code} isn't a known X12 type of service.`,
} as const satisfies Readonly<Record<string, WarningText>>;

/** Its codes, the last day of the authorization where there is one, and the task that has it. */
function approvedText(values: readonly string[]): string {
  const [codes, other, until] = [values[0], values.at(-1), values.length > 2 ? values[1] : undefined];
  return `The payer approved ${codes} for this member in task ${other}${until === undefined ? "" : `, until ${until}`}.`;
}
