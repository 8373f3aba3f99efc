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
