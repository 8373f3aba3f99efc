import type { Change } from "#lib/task/model/changes";

/** What differs from what a person saw last, by its place in the service review; each is shown at its value or, at the end, in a list. */
export class ChangeMarks {
  readonly #left: Map<string, Change>;

  constructor(list: readonly Change[] = []) {
    this.#left = new Map(list.filter(({ path }) => !path.startsWith("/attachments/")).map((one) => [one.path, one]));
  }

  /** The change at this place; whoever takes it shows it. */
  take(place: string): Change | undefined {
    const change = this.#left.get(place);
    this.#left.delete(place);
    return change;
  }

  /** Whether anything changed here. */
  has(place: string): boolean {
    return this.#left.has(place);
  }

  /** The changes nobody took. */
  rest(): readonly Change[] {
    return [...this.#left.values()];
  }
}

/** The value a change holds as JSON text; undefined where there was none. */
export function valueOf(json: string | undefined): string | undefined {
  if (json === undefined) return undefined;
  // Safe because a change holds the JSON text of a leaf.
  const value = JSON.parse(json) as unknown;
  return typeof value === "string" ? value : json;
}
