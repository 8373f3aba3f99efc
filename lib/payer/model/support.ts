/** What a payer may take over its connection beyond a first request. */
export const supports = ["updates", "files", "voids", "subscriptions"] as const;
export type Support = (typeof supports)[number];
