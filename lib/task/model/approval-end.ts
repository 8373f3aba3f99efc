/** From when on an approval is one that ends: so many days before its last, or so much of its units used. */
export const approvalEnd = {
  days: 14,
  /** And when it is high time. */
  lastDays: 3,
  percentUsed: 80,
} as const;
