/** Review action codes of X12 306 as PAS carries them. The labels are ours. */
export const reviewActions = {
  A1: "certified in total",
  A2: "certified in part",
  A3: "not certified",
  A4: "pended",
  A6: "modified",
  C: "cancelled",
  CT: "contact the payer",
  NA: "no certification required",
} as const;
