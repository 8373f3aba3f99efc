/** Gives a place back; a second time changes nothing. */
export type Leave = () => void;

export type Places = {
  /** A place once there is one for `who`; undefined where the wait is over or too many wait already. */
  readonly enter: (who: string) => Promise<Leave | undefined>;
};

export type PlacesOptions = {
  /** How many places there are. */
  readonly most: number;
  /** How many of them one may have at once. */
  readonly each: number;
  /** How many more of one may wait. */
  readonly waitingEach: number;
  readonly waitMs: number;
};

type Waiter = { readonly answer: (leave: Leave | undefined) => void; readonly timer: NodeJS.Timeout };

/**
 * A few places shared fairly: nobody has all of them however much they ask, and who finds none free waits. A place that
 * becomes free goes to whoever has the fewest, and of those to the one who was let in longest ago.
 */
export function createPlaces({ most, each, waitingEach, waitMs }: PlacesOptions): Places {
  const held = new Map<string, number>();
  const waiting = new Map<string, Waiter[]>();
  let taken = 0;

  const heldBy = (who: string) => held.get(who) ?? 0;
  const isFree = (who: string) => taken < most && heldBy(who) < each;

  function take(who: string): Leave {
    taken += 1;
    held.set(who, heldBy(who) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      taken -= 1;
      if (heldBy(who) > 1) held.set(who, heldBy(who) - 1);
      else held.delete(who);
      letNextIn();
    };
  }

  function letNextIn(): void {
    const next = [...waiting.keys()].filter(isFree).reduce<string | undefined>((best, who) => {
      return best === undefined || heldBy(who) < heldBy(best) ? who : best;
    }, undefined);
    if (next === undefined) return;
    const queue = waiting.get(next) ?? [];
    const [first, ...others] = queue;
    // Behind all others, whose turn is before its next.
    waiting.delete(next);
    if (others.length > 0) waiting.set(next, others);
    clearTimeout(first?.timer);
    first?.answer(take(next));
  }

  function giveUp(who: string, waiter: Waiter): void {
    const others = (waiting.get(who) ?? []).filter((other) => other !== waiter);
    if (others.length > 0) waiting.set(who, others);
    else waiting.delete(who);
    waiter.answer(undefined);
  }

  function wait(who: string): Promise<Leave | undefined> {
    const queue = waiting.get(who) ?? [];
    if (queue.length >= waitingEach) return Promise.resolve(undefined);
    return new Promise((answer) => {
      const waiter: Waiter = { answer, timer: setTimeout(() => giveUp(who, waiter), waitMs) };
      waiting.set(who, [...queue, waiter]);
    });
  }

  return { enter: (who) => (isFree(who) ? Promise.resolve(take(who)) : wait(who)) };
}
