/** Why a reviewer declines, from a short list, with the text that the agent reads if the reviewer writes none. */
export const declineReasons = {
  "wrong-patient-or-coverage": "Wrong patient or coverage.",
  duplicate: "A duplicate of another request.",
  "not-supported": "Not medically supported by what is attached.",
  "wrong-code-or-units": "Wrong code or units.",
  "wrong-payer": "Wrong payer.",
  "missing-documents": "Documents are missing.",
  "withdrawn-by-practice": "The practice no longer wants it.",
  other: undefined,
} as const;
