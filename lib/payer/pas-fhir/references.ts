import type { BundleEntry } from "fhir/r4";

/** The addresses a resource refers to. */
function referencesIn(resource: unknown): ReadonlySet<string> {
  const found = JSON.stringify(resource).matchAll(/"reference":"(urn:uuid:[0-9a-f-]{36})"/g);
  return new Set([...found].flatMap(([, reference]) => reference ?? []));
}

/** The entries that some resources refer to, directly or by another of them, in their own order. */
export function reachable(from: readonly unknown[], entries: readonly BundleEntry[]): readonly BundleEntry[] {
  const wanted = new Set(from.flatMap((resource) => [...referencesIn(resource)]));
  for (let grown = true; grown;) {
    const size = wanted.size;
    for (const { fullUrl, resource } of entries) {
      if (fullUrl !== undefined && wanted.has(fullUrl)) for (const each of referencesIn(resource)) wanted.add(each);
    }
    grown = wanted.size > size;
  }
  return entries.filter(({ fullUrl }) => fullUrl !== undefined && wanted.has(fullUrl));
}
