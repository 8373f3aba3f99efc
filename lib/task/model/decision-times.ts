import { decisionTimeNotes as notes, type linesOfBusiness } from "#lib/messages/labels/lines-of-business";

export type LineOfBusiness = keyof typeof linesOfBusiness;

/** How long a payer may take from the receipt of a request: in hours, or in whole calendar days. */
export type TimeAllowance = { readonly hours: number } | { readonly calendarDays: number };

/**
 * How long a payer of one line of business may take for requests that it receives from `from` to `to`, both days
 * included. A rule may be older than its `from`.
 */
export type DecisionTime = {
  readonly lineOfBusiness: Exclude<LineOfBusiness, "unknown">;
  readonly urgency: "expedited" | "standard";
  readonly within: TimeAllowance;
  readonly from: string;
  readonly to?: string | undefined;
  readonly source: string;
  readonly note?: string | undefined;
};

/**
 * The federal rules as known here. A state's rules may be stricter; none are listed. CMS-0057-F (89 FR 8758) does not
 * set decision times for exchange plans: theirs are those of the claims procedure rule.
 */
export const decisionTimes: readonly DecisionTime[] = [
  {
    lineOfBusiness: "medicare-advantage",
    urgency: "expedited",
    within: { hours: 72 },
    from: "2019-01-01",
    source: "42 CFR 422.572(a)",
    note: notes.mayExtend,
  },
  {
    lineOfBusiness: "medicare-advantage",
    urgency: "standard",
    within: { calendarDays: 14 },
    from: "2019-01-01",
    to: "2025-12-31",
    source: "42 CFR 422.568(b)(1)",
    note: notes.mayExtend,
  },
  {
    lineOfBusiness: "medicare-advantage",
    urgency: "standard",
    within: { calendarDays: 7 },
    from: "2026-01-01",
    source: "42 CFR 422.568(b)(1), CMS-0057-F",
    note: notes.mayExtend,
  },
  {
    lineOfBusiness: "medicaid-ffs",
    urgency: "expedited",
    within: { hours: 72 },
    from: "2026-01-01",
    source: "42 CFR 440.230(e)(1), CMS-0057-F",
    note: notes.mayExtend,
  },
  {
    lineOfBusiness: "medicaid-ffs",
    urgency: "standard",
    within: { calendarDays: 7 },
    from: "2026-01-01",
    source: "42 CFR 440.230(e)(1), CMS-0057-F",
    note: notes.mayExtend,
  },
  {
    lineOfBusiness: "medicaid-managed-care",
    urgency: "expedited",
    within: { hours: 72 },
    from: "2019-01-01",
    source: "42 CFR 438.210(d)(2)",
    note: notes.mayExtend,
  },
  {
    lineOfBusiness: "medicaid-managed-care",
    urgency: "standard",
    within: { calendarDays: 14 },
    from: "2019-01-01",
    to: "2025-12-31",
    source: "42 CFR 438.210(d)(1)",
    note: notes.mayExtend,
  },
  {
    lineOfBusiness: "medicaid-managed-care",
    urgency: "standard",
    within: { calendarDays: 7 },
    from: "2026-01-01",
    source: "42 CFR 438.210(d)(1), CMS-0057-F",
    note: notes.managedCare,
  },
  {
    lineOfBusiness: "chip-ffs",
    urgency: "expedited",
    within: { hours: 72 },
    from: "2026-01-01",
    source: "42 CFR 457.495(d), CMS-0057-F",
    note: notes.mayExtend,
  },
  {
    lineOfBusiness: "chip-ffs",
    urgency: "standard",
    within: { calendarDays: 7 },
    from: "2026-01-01",
    source: "42 CFR 457.495(d), CMS-0057-F",
    note: notes.mayExtend,
  },
  {
    lineOfBusiness: "chip-managed-care",
    urgency: "expedited",
    within: { hours: 72 },
    from: "2019-01-01",
    source: "42 CFR 457.1230(d) with 438.210(d)(2)",
    note: notes.mayExtend,
  },
  {
    lineOfBusiness: "chip-managed-care",
    urgency: "standard",
    within: { calendarDays: 14 },
    from: "2019-01-01",
    to: "2025-12-31",
    source: "42 CFR 457.1230(d) with 438.210(d)(1)",
    note: notes.mayExtend,
  },
  {
    lineOfBusiness: "chip-managed-care",
    urgency: "standard",
    within: { calendarDays: 7 },
    from: "2026-01-01",
    source: "42 CFR 457.1230(d) with 438.210(d)(1), CMS-0057-F",
    note: notes.managedCare,
  },
  {
    lineOfBusiness: "qhp-ffe",
    urgency: "expedited",
    within: { hours: 72 },
    from: "2019-01-01",
    source: "45 CFR 147.136(b)(3) with 29 CFR 2560.503-1(f)(2)(i)",
  },
  {
    lineOfBusiness: "qhp-ffe",
    urgency: "standard",
    within: { calendarDays: 15 },
    from: "2019-01-01",
    source: "45 CFR 147.136(b)(3) with 29 CFR 2560.503-1(f)(2)(iii)(A)",
    note: notes.erisa,
  },
  {
    lineOfBusiness: "group-health-plan",
    urgency: "expedited",
    within: { hours: 72 },
    from: "2019-01-01",
    source: "29 CFR 2560.503-1(f)(2)(i)",
  },
  {
    lineOfBusiness: "group-health-plan",
    urgency: "standard",
    within: { calendarDays: 15 },
    from: "2019-01-01",
    source: "29 CFR 2560.503-1(f)(2)(iii)(A)",
    note: notes.erisa,
  },
];
