/** Why a reviewer declines, from a short list, with the text that the agent reads if the reviewer writes none. */
export const declineReasons = {
  "wrong-patient-or-coverage": "Wrong patient or coverage.",
  duplicate: "Duplicate of another request.",
  "not-supported": "Not medically supported by the documents.",
  "wrong-code-or-units": "Wrong code or units.",
  "wrong-payer": "Wrong payer.",
  "missing-documents": "Documents are missing.",
  "withdrawn-by-practice": "The practice no longer wants it.",
  other: undefined,
} as const;

type Code = keyof typeof declineReasons;

/** The reasons for a field of choices, in the words that the agent reads. */
export const declineOptions = (Object.keys(declineReasons) as Code[]).map((value) => ({
  value,
  text: declineReasons[value]?.replace(/\.$/, "") ?? "Other",
}));
