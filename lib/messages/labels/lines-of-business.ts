/** The lines of business with known decision times, and `unknown`, with their names. */
export const linesOfBusiness = {
  unknown: "Not known",
  "medicare-advantage": "Medicare Advantage",
  "medicaid-ffs": "Medicaid fee-for-service",
  "medicaid-managed-care": "Medicaid managed care",
  "chip-ffs": "CHIP fee-for-service",
  "chip-managed-care": "CHIP managed care",
  "qhp-ffe": "Qualified health plan on the federal exchange",
  "group-health-plan": "Employer's group health plan",
} as const;

const mayExtend =
  "The payer may extend it by up to 14 days, which it tells the patient. Drugs have times of their own.";

/** What else there is to say of a payer's time to decide. */
export const decisionTimeNotes = {
  mayExtend,
  managedCare: `Holds from the plan's first rating period that begins on or after Jan 1, 2026. ${mayExtend}`,
  erisa: "The plan may extend it once by 15 days, and what it waits for from the patient does not count.",
} as const;
