import { pointerToken } from "./unknown-members.ts";

/** One leaf that differs between two JSON values, as a JSON pointer with its JSON text before and after. */
export type Change = {
  readonly path: string;
  readonly before?: string | undefined;
  readonly after?: string | undefined;
};

/** Every leaf that was added, removed or changed, in the order of the later value. */
export function changesBetween(before: unknown, after: unknown): readonly Change[] {
  const old = new Map(leaves(before, ""));
  const now = new Map(leaves(after, ""));
  const changed = [...now].filter(([path, text]) => old.get(path) !== text);
  const removed = [...old].filter(([path]) => !now.has(path));
  return [
    ...changed.map(([path, text]) => ({ path, before: old.get(path), after: text })),
    ...removed.map(([path, text]) => ({ path, before: text })),
  ];
}

function leaves(value: unknown, path: string): [string, string][] {
  if (typeof value !== "object" || value === null) return [[path, JSON.stringify(value)]];
  const members = Object.entries(value);
  if (members.length === 0) return [[path, Array.isArray(value) ? "[]" : "{}"]];
  return members.flatMap(([name, member]) => leaves(member, `${path}/${pointerToken(name)}`));
}
