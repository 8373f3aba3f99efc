export type Leaf = { readonly name: string; readonly text: string };

/** Every value of a request with the way to it in words: `Subscriber, member ID`; places in lists count from 1. */
export function leavesOf(value: unknown, path: readonly string[] = []): readonly Leaf[] {
  if (value === undefined || value === null || value === "") return [];
  if (Array.isArray(value)) return value.flatMap((each, index) => leavesOf(each, [...path, String(index + 1)]));
  if (typeof value === "object")
    return Object.entries(value).flatMap(([key, each]) => leavesOf(each, [...path, wordsOf(key)]));
  return [{ name: capital(path.join(", ")), text: typeof value === "string" ? value : JSON.stringify(value) }];
}

function wordsOf(key: string): string {
  return key
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/\bid\b/, "ID")
    .replace(/\bnpi\b/, "NPI");
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
