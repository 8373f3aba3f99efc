/** The part a provider has in the practice's requests. */
export const providerRoles = ["requesting", "rendering"] as const;
export type ProviderRole = (typeof providerRoles)[number];

/** A provider of the practice's requests, by NPI. */
export type KnownProvider = {
  readonly npi: string;
  readonly name: string;
  readonly roles: readonly ProviderRole[];
};

/** Whether the practice lists providers of this role and this NPI is not among them. */
export function isUnlistedProvider(known: readonly KnownProvider[], role: ProviderRole, npi: string): boolean {
  const own = known.filter(({ roles }) => roles.includes(role));
  return own.length > 0 && !own.some((provider) => provider.npi === npi);
}
