import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import { now } from "#lib/platform/now";
import { loadSnoozeEnds } from "#lib/queue/store/snoozes";
import { watchedPractices } from "./watched-practices.ts";

export type SnoozeEnds = {
  /** When a page was drawn. */
  readonly drawnMs: number;
  /** When the next snoozes end. Nothing is on record then, so an open page has to look by the clock. */
  readonly endsMs: readonly number[];
};

/** As many as end while a page stays open; whoever shows it anew hears of the others. */
const endsMax = 20;

/** When the next snoozes in the reviewer's practices end. */
export async function snoozeEnds({ actor, store }: Context<PersonActor>): Promise<SnoozeEnds> {
  const drawn = now();
  const ends = await loadSnoozeEnds(store, { practices: watchedPractices(actor), max: endsMax });
  return { drawnMs: drawn.getTime(), endsMs: ends.map((at) => at.getTime()) };
}
