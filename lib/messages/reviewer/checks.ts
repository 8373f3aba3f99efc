import type { CheckType, CaseCheck } from "#lib/gate/model/check";

type CheckText = {
  /** For a row of the queue and beside the decision. */
  readonly brief: string;
  /** The sentence on the case page, from the values the check found. */
  readonly text: (values: readonly string[]) => string;
};

const words: Readonly<Record<CheckType, CheckText>> = {
  "missing-required": { brief: "something is missing", text: () => "This payer connection requires more fields." },
  "payer-requires": {
    brief: "required by the payer",
    text: (fields) => `This payer requires ${new Intl.ListFormat("en").format(fields)}.`,
  },
  "unknown-provider": {
    brief: "unknown provider",
    text: ([npi, role]) => `${npi} isn't one of the practice's ${role} providers.`,
  },
  "npi-check-digit": {
    brief: "wrong NPI",
    text: ([npi]) => `${npi} isn't a valid NPI. The check digit doesn't match.`,
  },
  "practice-suspended": {
    brief: "practice suspended",
    text: () => "The practice is suspended. Nothing is submitted for it.",
  },
  "no-route": { brief: "no payer address", text: () => "This payer connection has no address to submit to." },
  "route-changed": {
    brief: "connection changed",
    text: () => "The payer connection changed after this was prepared. It is prepared again for the new connection.",
  },
  "dates-over": {
    brief: "dates long past",
    text: ([last]) => `The last requested day, ${last}, is more than a year ago.`,
  },
  "exact-duplicate": {
    brief: "already requested",
    text: () => "The same request is already released or with the payer. Void or undo that one to release this.",
  },
  "same-request-open": {
    brief: "requested twice",
    text: () => "The same request is waiting here a second time. Once this one is released, that one can't be.",
  },
  "existing-approval": {
    brief: "approved before",
    text: ([codes, until]) => `The payer approved ${codes} for this member${until ? `, valid to ${until}` : ""}.`,
  },
  "near-duplicate": {
    brief: "near duplicate",
    text: ([codes]) => `${codes} is requested for the same member within 14 days in another case.`,
  },
  "no-patient": { brief: "no patient", text: () => "No patient is named." },
  "payer-not-configured": {
    brief: "payer not configured",
    text: () => "No electronic connection to this payer. Release it for manual submission.",
  },
  "delegated-in-part": {
    brief: "partly reviewed elsewhere",
    text: ([rule, codes]) =>
      `The payer has others review ${codes} (${rule}), but this request includes more and goes to the payer as a whole.`,
  },
  "dates-reversed": {
    brief: "dates reversed",
    text: ([from, to]) => `It ends before it starts: from ${from} to ${to}.`,
  },
  "appeal-late": {
    brief: "appeal late",
    text: ([last]) => `The payer's last day to appeal, ${last}, has passed.`,
  },
  "past-dates": { brief: "dates past", text: ([first]) => `It starts on ${first}, which is in the past.` },
  "far-dates": { brief: "dates far ahead", text: ([day]) => `${day} is more than 12 months ahead.` },
  "unusual-quantity": {
    brief: "unusual quantity",
    text: ([quantity, unit]) => `A quantity of ${quantity} ${unit} is unusual.`,
  },
  "unknown-code-format": {
    brief: "unknown code format",
    text: ([code]) => `${code} doesn't have the format of a procedure code (CPT, HCPCS or ICD-10-PCS).`,
  },
  "urgency-unattested": {
    brief: "urgency not attested",
    text: () => "It is marked urgent without an attestation.",
  },
  "old-note": { brief: "old note", text: ([date]) => `The note of ${date} is more than 90 days old.` },
  "no-attachment": { brief: "no attachment", text: () => "No file is attached." },
  "files-left": {
    brief: "files not submitted",
    text: () => "This payer connection can't carry files. Send the attachments by portal or fax.",
  },
  "members-left": {
    brief: "not submitted in full",
    text: () => "This payer connection can't carry some of what the agent sent. It won't be submitted.",
  },
  "unknown-members": {
    brief: "unrecognized fields",
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
    const text = words[check.type].text(check.values);
    const others = group.flatMap(({ otherShortId }) => otherShortId ?? []);
    if (others.length === 0) return group.map((each) => ({ check: each, text }));
    const more = others.length - namedMax;
    const named = others.slice(0, namedMax).join(", ");
    return [{ check, text: more > 0 ? `${text} See ${named} and ${more} more.` : `${text} See ${named}.` }];
  });
}

/** What a check found, in a few words. */
export function checkBrief(type: CheckType): string {
  return words[type].brief;
}
