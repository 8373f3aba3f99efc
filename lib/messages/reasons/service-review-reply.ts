/** What a clearinghouse's reply says, or why it cannot be taken for an answer, where only this wire can say it. */
export const reviewReasons = {
  refused: (what: "request" | "void", status: number, reason: string) =>
    `The payer refused the ${what} (HTTP ${status}): ${reason}.`,
  noReasonGiven: "no reason given",
  acceptedWithoutId: "The payer took the request without saying under which id.",
  namesOtherCase: "The payer's reply names another case.",
  notReview: "The payer's reply is not a service review.",
  aboutOtherCase: "The payer's reply is about another case.",
  otherTrace: "The payer's reply echoes another trace number.",
  traceOfRefused: "The payer's reply echoes the trace number of what it had refused.",
  speaksOfOther: (party: string) => `The payer's reply speaks of another ${party}.`,
  searchAnsweredStatus: (status: number) => `The payer answered the search with HTTP ${status}.`,
  notReviewList: "The payer's reply is not a list of service reviews.",
  listIncomplete: "The payer found more cases than it listed.",
  severalForTrace: "The payer found several cases for one trace number.",
  sameServicesUnnamed: "The payer has a case with the same services, and it does not name our request.",
  idInvalid: "The payer's reply gives the case an id that is none.",
  traceOfOther: (party: string) => `The case under our trace number is that of another ${party}.`,
  traceForOtherServices: "The case under our trace number is for other services.",
  testAnswerUnmarked:
    "The answer to a test request lacks the test marker (X-Api-Mock-Response): this may be a live payer.",
  statusNotUnderstood: "The reply's status code is not understood.",
  otherProcedures: "The reply does not speak of exactly the procedures that were sent.",
  actionNotUnderstood: "The reply lacks an action that is understood on at least one procedure.",
  partNotNamed: "The reply certifies a part of the request, and does not say which.",
  contradicts: (conflicts: readonly string[]) => `The reply contradicts itself or the request. ${conflicts.join(" ")}`,
  unreadableTerm: "A quantity or a day of it cannot be read.",
  datedAhead: "It is dated more than a day after it was heard.",
  datedBefore: "It is dated before the request was made.",
  decidesElsewhere: "The reply speaks of a decision, a quantity or an error in a place where none belongs.",
  errorBeside: "The reply certifies, and has messages about errors beside it.",
  reasonBeside: "The reply certifies, and gives a reason as for something else.",
  otherWords: "The reply certifies by its code, and its words say something else.",
  wordsAlone: "The reply has a unit or a modifier in words only.",
  twoNumbers: "The reply gives one line two authorization numbers.",
  otherRequest: "The reply is for another type of request or service, another diagnosis or another list of codes.",
  refusesAndDecides: "The reply says that the request was not processed, and gives a decision on it.",
  payerNumber: (number: string) => `The payer's own reference number is ${number}.`,
  informationRequested: (label: string | undefined) => `The payer wants ${label ?? "more"} before it decides.`,
} as const;

/** X12 886 reasons of a pended answer that ask the sender for more, in our own words. */
export const wantedReasons: Readonly<Record<string, string>> = {
  "0U": "more about the patient",
  "0P": "information it asked for and did not get",
};
