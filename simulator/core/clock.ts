/** The payer's clock. Set, it runs on from there. */
export type Clock = { readonly now: () => Date; readonly set: (to: Date) => void };

export function createClock(): Clock {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    set: (to) => {
      aheadMs = to.getTime() - Date.now();
    },
  };
}
