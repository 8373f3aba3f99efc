import { providerSchema, type Entries, type Reference } from "./resources.ts";

/** The ids (NPI, tax id) of everybody a bundle brings who may provide care, by address. */
export type Providers = ReadonlyMap<string, readonly string[]>;

/** Reads the practitioners and organizations of a bundle; a role has the ids of those it leads to. */
export function providersIn(entries: Entries): Providers {
  const brought = entries.flatMap(({ fullUrl, resource }) => {
    const provider = providerSchema.safeParse(resource);
    return provider.success && fullUrl !== undefined ? [[fullUrl, provider.data] as const] : [];
  });
  const own = new Map(
    brought.map(([url, { identifier = [] }]) => [url, identifier.flatMap(({ value }) => value ?? [])] as const),
  );
  return new Map(
    brought.map(([url, { practitioner, organization }]) => [
      url,
      [...(own.get(url) ?? []), ...idsOf(practitioner, own), ...idsOf(organization, own)],
    ]),
  );
}

/** The ids that a reference comes to: of what it points at, or its own logical one; none where neither is there. */
export function idsOf(reference: Reference | undefined, providers: Providers): readonly string[] {
  const { reference: url, identifier } = reference ?? {};
  const found = url === undefined ? undefined : (providers.get(url) ?? relative(providers, url));
  return [...(found ?? []), ...(identifier?.value === undefined ? [] : [identifier.value])];
}

/** What a relative reference leads to: the resource whose address ends with it. */
export function relative<Value>(byUrl: ReadonlyMap<string, Value>, reference: string): Value | undefined {
  return [...byUrl].find(([url]) => url.endsWith(`/${reference}`))?.[1];
}
