/** What makes a channel's keys less safe than they could be. */
export type KeyWarning =
  | { readonly type: "idle" | "ends-soon"; readonly lastFour: string }
  | { readonly type: "client-idle" | "client-ends-soon" | "client-weak" }
  | { readonly type: "every-practice" }
  | { readonly type: "wide-network"; readonly network: string }
  | { readonly type: "no-rate" }
  | { readonly type: "no-owner" }
  | { readonly type: "no-practices" };

/** A key that was not used for this many days should be revoked. */
export const idleDays = 30;

/** A key that expires within this many days is reported. */
export const soonDays = 7;

/** The fewest bits of an RSA key, for 128 bits of strength (NIST SP 800-57 part 1; OWASP ASVS 11.2.3). */
export const rsaBitsMin = 3_072;
