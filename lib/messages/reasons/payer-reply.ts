/**
 * What a payer's reply says, or why it cannot be taken for an answer: the sentences that every wire shares. Read by reviewers
 * and agents. A sentence is stored with the reply as it was given, so a new wording is for new replies.
 */
export const replyReasons = {
  answeredStatus: (status: number) => `The payer answered HTTP ${status}.`,
  answeredRedirect: (status: number) => `The payer answered with a redirect (HTTP ${status}).`,
  mayHaveRequest: (status: number) => `The payer answered HTTP ${status}: it may have the request.`,
  refusedBeforeProcessing: (status: number) => `The payer refused before processing (HTTP ${status}).`,
  notUnderstood: (status: number) => `The payer's reply (HTTP ${status}) is not understood.`,
  inquiryAnsweredStatus: (status: number) => `The payer answered the inquiry with HTTP ${status}.`,
  liveAnswerMarkedTest: (marker: string) => `The answer to a live request carries the test marker (${marker}).`,
  notProcessed: (errors: string) => `The payer did not process the request${errors === "" ? "" : `: ${errors}`}.`,
  callPayer: (phone?: string) =>
    `The payer asks to be called about this request${phone === undefined ? "" : `, at ${phone}`} (CT).`,
} as const;

/**
 * Where an authorization contradicts itself or the request. The line's own ones are the rest of a sentence that `ofLine`
 * begins. They have only line numbers, action codes and quantities.
 */
export const conflictReasons = {
  headerDiffers: (action: string) => `The request as a whole is answered ${action}, and its lines otherwise.`,
  processingDiffers: (processing: string) =>
    `The payer's processing outcome is ${processing === "unknown" ? "something nobody knows" : processing}, and its lines are answered as if it was done.`,
  ofLine: (sequence: number, action: string, problem: string) => `Line ${sequence} (${action}) ${problem}.`,
  modifiedToNothing: "is modified, without saying to what",
  deniedWithQuantity: "is not certified, with an authorized quantity",
  certifiedQuantity: (quantity: number, requested: number | undefined) =>
    `is certified for ${quantity}${requested === undefined ? "" : ` of ${requested}`}`,
  otherUnit: "is certified in another unit than was asked",
  otherProcedure: "is certified for another procedure than was asked",
  otherRevenue: "is certified under another revenue code than was asked",
  otherModifiers: "is certified with other modifiers than were asked",
  daysReversed: "is certified for days that end before they begin",
  otherDays: "is certified for other days than were asked",
  validityReversed: "has a validity that ends before it begins",
  validityElsewhere: "has a validity that does not cover the days of the service",
  validityPartial: "has a validity that covers only a part of the days asked",
  otherProvider: "is certified for another provider than was asked",
} as const;

/** X12 886 reasons of a pended answer that ask the sender for more, in our own words. */
export const wantedReasons: Readonly<Record<string, string>> = {
  "0U": "more about the patient",
  "0P": "information it asked for and did not get",
};
