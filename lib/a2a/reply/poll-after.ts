import type { NextActor } from "#lib/messages/agent/status";

type Pace = { readonly least: number; readonly most: number };

/** In seconds, by who moves next; nobody polls what nobody changes. */
const paces: Readonly<Record<NextActor, Pace | undefined>> = {
  service: { least: 1, most: 10 },
  reviewer: { least: 10, most: 60 },
  payer: { least: 30, most: 300 },
  agent: { least: 60, most: 300 },
  none: undefined,
};

/**
 * After how many seconds a poll is worth its while: a tenth of the time the task has stood as it is, within what is usual
 * for whoever moves next. Undefined where nothing moves.
 */
export function pollAfterSeconds(by: NextActor, changedAt: Date, now: Date): number | undefined {
  const pace = paces[by];
  if (!pace) return undefined;
  const age = (now.getTime() - changedAt.getTime()) / 1_000;
  return Math.round(Math.min(pace.most, Math.max(pace.least, age / 10)));
}
