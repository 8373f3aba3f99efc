/** What a provider does on a practice's requests. */
export const providerRoles = ["requesting", "rendering"] as const;
export type ProviderRole = (typeof providerRoles)[number];

/** A provider a practice asks for or with, by NPI. */
export type KnownProvider = {
  readonly npi: string;
  readonly name: string;
  readonly roles: readonly ProviderRole[];
};

/** Whether the practice has said who its providers of this role are, and this is none of them. */
export function isStranger(known: readonly KnownProvider[], role: ProviderRole, npi: string): boolean {
  const own = known.filter(({ roles }) => roles.includes(role));
  return own.length > 0 && !own.some((provider) => provider.npi === npi);
}
