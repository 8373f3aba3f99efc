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
  const found = url === undefined ? undefined : providers.get(addressIn(providers.keys(), url) ?? url);
  return [...(found ?? []), ...(identifier?.value === undefined ? [] : [identifier.value])];
}

/**
 * The address among these at which a bundle brings what a reference leads to: the very same, or that of another version of
 * it, or for a relative reference one that ends with it. FHIR R4 Bundle, bdl-8: a resource stands at its own address, also
 * where a reference names one version of it; some servers write the version there as well.
 */
export function addressIn(urls: Iterable<string>, reference: string): string | undefined {
  const all = [...urls];
  const named = withoutVersion(reference);
  const isAt = (url: string) => url === named || url.endsWith(`/${named}`);
  return [reference, named].find((each) => all.includes(each)) ?? all.find((url) => isAt(withoutVersion(url)));
}

function withoutVersion(url: string): string {
  return url.replace(/\/_history\/[^/]+$/, "");
}
