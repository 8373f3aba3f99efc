/** A connection rule in one line, as the audit log keeps it. */
export const ruleLabels = {
  serviceTypes: (codes: readonly string[]) => `service type ${codes.join(", ")}`,
  codes: (ranges: readonly string[]) => `codes ${ranges.join(", ")}`,
  linesOfBusiness: (lines: readonly string[]) => `line of business ${lines.join(", ")}`,
  line: ({ name, conditions, connection }: { name: string; conditions: readonly string[]; connection: string }) =>
    `${name}: ${conditions.length > 0 ? conditions.join("; ") : "every request"} over ${connection}`,
} as const;
