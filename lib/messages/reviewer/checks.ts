import { nearDays } from "#lib/gate/model/near-days";
import type { CheckType, CaseCheck } from "#lib/gate/model/check";
import { unitText } from "#lib/messages/labels/codes";

/** A day as people write it; what is none stays as it is. */
const dateText = (day = "") => day.replace(/^(\d{4})-(\d{2})-(\d{2})$/, "$2/$3/$1");

type CheckText = {
  /** For a row of the queue and beside the decision. */
  readonly brief: string;
  /** The sentence on the case page, from the values the check found. */
  readonly text: (values: readonly string[]) => string;
  /** Of a check that blocks: what mends it. */
  readonly fix?: string;
};

const texts: Readonly<Record<CheckType, CheckText>> = {
  "missing-required": {
    brief: "Fields missing",
    text: () => "This payer connection requires more fields.",
    fix: "Request them from the agent.",
  },
  "payer-requires": {
    brief: "Required by the payer",
    text: (fields) => `This payer requires ${new Intl.ListFormat("en").format(fields)}.`,
    fix: "Request it from the agent.",
  },
  "unknown-provider": {
    brief: "Unknown provider",
    text: ([npi, role]) => `${npi} isn't one of the practice's ${role === "rendering" ? "servicing" : role} providers.`,
  },
  "npi-check-digit": {
    brief: "Invalid NPI",
    text: ([npi]) => `${npi} isn't a valid NPI. The check digit doesn't match.`,
    fix: "Correct it in the request, or request the right one from the agent.",
  },
  "practice-suspended": {
    brief: "Practice suspended",
    text: () => "The practice is suspended. Nothing is submitted for it.",
    fix: "Ask an admin to resume the practice.",
  },
  "no-route": {
    brief: "No payer address",
    text: () => "This payer connection has no address to submit to.",
    fix: "Ask an admin to complete the payer connection.",
  },
  "route-changed": {
    brief: "Connection changed",
    text: () => "The payer connection changed after this was prepared. It is prepared again for the new connection.",
    fix: "Reload this page in a moment.",
  },
  "dates-over": {
    brief: "Dates long past",
    text: ([last]) => `The last requested day, ${dateText(last)}, is more than a year ago.`,
    fix: "Correct the dates, or request the right ones from the agent.",
  },
  "exact-duplicate": {
    brief: "Already requested",
    text: () => "The same request is already released or with the payer.",
    fix: "Decline this one as a duplicate, or undo or void the other.",
  },
  "same-request-open": {
    brief: "Requested twice",
    text: () => "The same request is waiting here a second time. Once this one is released, that one can't be.",
  },
  "existing-approval": {
    brief: "Approved before",
    text: ([codes, until]) =>
      `The payer approved ${codes} for this member${until ? `, valid to ${dateText(until)}` : ""}.`,
  },
  "near-duplicate": {
    brief: "Near duplicate",
    text: ([codes = ""]) =>
      `${codes} ${codes.includes(",") ? "are" : "is"} requested for the same member within ${nearDays} days in another case.`,
  },
  "no-patient": { brief: "No patient", text: () => "No patient is named." },
  "payer-not-configured": {
    brief: "Payer not configured",
    text: () => "No electronic connection to this payer. Release it for manual submission.",
  },
  "delegated-in-part": {
    brief: "Partly reviewed elsewhere",
    text: ([rule, codes]) =>
      `The payer has others review ${codes} (${rule}), but this request includes more and goes to the payer as a whole.`,
  },
  "dates-reversed": {
    brief: "Dates reversed",
    text: ([from, to]) => `It ends before it starts: from ${dateText(from)} to ${dateText(to)}.`,
  },
  "appeal-late": {
    brief: "Appeal late",
    text: ([last]) => `The payer's last day to appeal, ${dateText(last)}, has passed.`,
  },
  "past-dates": { brief: "Dates past", text: ([first]) => `It starts on ${dateText(first)}, which is in the past.` },
  "far-dates": { brief: "Dates far ahead", text: ([day]) => `${dateText(day)} is more than 12 months ahead.` },
  "unusual-quantity": {
    brief: "Unusual quantity",
    text: ([quantity, unit]) => `A quantity of ${quantity} ${unitText(unit, Number(quantity))} is unusual.`,
  },
  "unknown-code-format": {
    brief: "Unknown code format",
    text: ([code]) => `${code} doesn't have the format of a procedure code (CPT, HCPCS or ICD-10-PCS).`,
  },
  "urgency-unattested": {
    brief: "Urgency not attested",
    text: () => "It is marked urgent without an attestation.",
  },
  "old-note": { brief: "Old note", text: ([date]) => `The note of ${dateText(date)} is more than 90 days old.` },
  "no-attachment": { brief: "No attachment", text: () => "No file is attached." },
  "files-left": {
    brief: "Files not submitted",
    text: () => "This payer connection can't carry files. Send the attachments by portal or fax.",
  },
  "members-left": {
    brief: "Not submitted in full",
    text: () => "This payer connection can't carry some of what the agent sent. It won't be submitted.",
  },
  "unknown-members": {
    brief: "Unrecognized fields",
    text: () => "Unrecognized fields won't be included in the submission.",
  },
};

/** A sentence about one or several checks, and the first of them. */
type CheckSentence = { readonly check: CaseCheck; readonly text: string };

/** The most cases that a sentence names; the table of other cases lists them all. */
const namedMax = 4;

/** One sentence for each check; checks that differ only in the other case they found share one, which names the cases. */
export function checkSentences(checks: readonly CaseCheck[]): readonly CheckSentence[] {
  const alike = Map.groupBy(checks, ({ type, values }) => JSON.stringify([type, values]));
  return [...alike.values()].flatMap((group) => {
    const [check] = group;
    if (!check) return [];
    const text = texts[check.type].text(check.values);
    const others = group.flatMap(({ otherShortId }) => otherShortId ?? []);
    if (others.length === 0) return group.map((each) => ({ check: each, text }));
    const more = others.length - namedMax;
    const named = others.slice(0, namedMax).join(", ");
    return [{ check, text: more > 0 ? `${text} See ${named} and ${more} more.` : `${text} See ${named}.` }];
  });
}

/** What mends what a check found; undefined where nothing has to be. */
export function checkFix(type: CheckType): string | undefined {
  return texts[type].fix;
}

/** What a check found, in a few words. */
export function checkBrief(type: CheckType): string {
  return texts[type].brief;
}
