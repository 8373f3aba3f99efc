import type { Context } from "#lib/access/context";
import { administers, type PersonActor } from "#lib/access/model/actor";
import { reviewedBy } from "#lib/task/desk-refusal";
import { practicesNamed } from "#lib/report/store/practices";

export type NamedPractice = {
  readonly id: string;
  readonly name: string;
  /** Requests of it, all of test data, are or were released without a person. */
  readonly hasAutoReleases: boolean;
};

/** The practices whose figures a person may see, by name: those they review for and those they administer. */
export function practicesInReports({ actor, store }: Context<PersonActor>): Promise<readonly NamedPractice[]> {
  const administered = administers(actor);
  return practicesNamed(store, administered === "every" ? "every" : [...reviewedBy(actor), ...administered]);
}
