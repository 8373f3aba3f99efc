/** What the reply of a PAS server says, or why it cannot be taken for an answer, where only this wire can say it. */
export const pasReasons = {
  withStatus: (reason: string, status: number) => `${reason} (HTTP ${status})`,
  duplicate: (status: number) =>
    `The payer's server says that it has this request already (HTTP ${status}: duplicate).`,
  refused: (status: number, issues: string) => `The payer's server refused the request (HTTP ${status}): ${issues}.`,
  tooLarge: "The payer's server takes no request of this size (HTTP 413). If it has files, send fewer or smaller ones.",
  noResponseBundle: (status: number) => `The payer answered HTTP ${status} with something else than a response bundle.`,
  namesNoRequest: "The payer's reply names neither our trace number nor our request.",
  otherPatient: "The payer's reply speaks of another patient.",
  patientNotNamed: "The payer's reply does not say which patient it is about.",
  refusesWithUnknownModifier: "The payer's reply refuses with a modifier extension that is not known.",
  notActive: "The payer's reply is a ClaimResponse that is not active.",
  refusesAndDecides: "The payer's reply both refuses and decides.",
  otherItems: "The payer's reply does not speak of exactly the items that were sent.",
  otherServices: "The payer's reply speaks of other services or days than were sent.",
  testAnswerMarkedLive: "The answer to a test request says that it is live data.",
  followUpUnknown: (reason: string) => `${reason} Its follow-up code is not known.`,
  codeUnknown: "without a known code",
  asksFor: (items: readonly string[]) => `The payer asks for: ${[...new Set(items)].join("; ").replace(/\.$/, "")}.`,
  unnamedItem: "something it does not name",
} as const;

/** Why a body is no answer of this operation. */
export const pasUnreadableReasons = {
  empty: "The payer's reply has no content.",
  otherContentType: "The payer's reply is not FHIR JSON by its content type.",
  notStrictJson: "The payer's reply is not JSON in strict UTF-8 with each name once.",
  otherResource: "The payer's reply is not a resource that this operation answers with.",
  invalidOutcome: "The payer's reply is not a valid OperationOutcome.",
  notResponseBundle: "The payer's reply is not a response bundle with one ClaimResponse first.",
  invalidParameters: "The payer's reply is not a valid Parameters.",
  parametersWithOtherBundle: "The payer's reply holds a bundle that is not a response bundle.",
  otherInstead: "The payer's reply has an error or another answer where a response bundle belongs.",
} as const;

/** Why an answer to this very request is not clear. */
export const pasUnclearReasons = {
  unknownModifier: "The payer's reply has a modifier extension that is not known, so it may mean something else.",
  statesTwice: "The payer's reply says two different things where one can stand.",
  actionNotUnderstood: "The payer's reply lacks a review action that is understood on at least one item.",
  headerNotUnderstood: "The payer's reply has a review action for the whole request that is not understood.",
  partNotNamed: "The payer's reply certifies a part of the request, and does not say which.",
  contradicts: (conflicts: readonly string[]) =>
    `The payer's reply contradicts itself or the request. ${conflicts.join(" ")}`,
  implicitRules: "The payer's reply follows rules that are not known, so it may mean something else.",
  speaksTwice: "The payer's reply has an error or another answer beside its decision.",
  asksForMore: "The payer's reply certifies, and asks for more information.",
  otherCoverage: "The payer's reply is under another coverage than the request.",
  secondOpinion: "The payer's reply certifies, and needs a second surgical opinion for approval.",
  actionElsewhere: "The payer's reply has a review action where none belongs, beside those of its items.",
  details: "The payer's reply decides on parts of an item that were not asked for.",
  severalReplaced:
    "The payer's reply certifies one service in place of several lines, and does not say how much of it is for which.",
  quantityBound: "The payer's reply certifies a quantity that is only a bound.",
  dateNotUnderstood: "The payer's reply certifies with a date that is no whole day.",
  notAllCancelled: "The payer's reply does not cancel every item that was taken back.",
} as const;

/** Why the answer to an inquiry does not say how the case stands. */
export const pasInquiryReasons = {
  outcome: "The payer answered the inquiry with an OperationOutcome.",
  severalAreThis: "The payer answered the inquiry with several cases that are this one.",
  cancelsEarlier: "The payer says that an earlier request of this case is canceled, and nothing of the last one.",
  someNameNoRequest: (cases: number) =>
    `The payer answered the inquiry with ${cases === 1 ? "a case that names" : `${cases} cases that name`} no request of ours: it may be this one or another.`,
} as const;

/** Why a notification is none, as its payer reads it, or does not say how the case stands. */
export const pasNotificationReasons = {
  notStrictJson: "The body is not JSON in strict UTF-8 with each name once.",
  notNotification:
    "The body is not a notification: a Bundle of type history or subscription-notification with its entries.",
  statusMissing: "The notification Bundle has neither a status that says its type nor a PAS response Bundle.",
  bareClaimResponse:
    "A ClaimResponse is read only inside its PAS response Bundle, which is an entry of the notification Bundle.",
  twoAtOneInstant: "The payer's notification says two things of one case at one instant.",
  otherRequest: "The payer's notification names this case and a request that is not its own.",
  referenceWithoutItem: "The payer's notification names this case by its reference alone, and no item.",
} as const;

/** X12 901 reject reasons (AAA03) in our own words; the code is always shown with them. */
export const rejectReasons: Readonly<Record<string, string>> = {
  "15": "required data is missing",
  "33": "a value is not valid",
  "41": "the sender is not allowed to do this",
  "42": "the payer cannot answer now",
  "43": "the provider's id",
  "56": "a date does not fit",
  "58": "the birth date",
  "64": "the patient's id",
  "65": "the patient's name",
  "66": "the patient's gender",
  "67": "the patient was not found",
  "71": "the birth date does not match",
  "72": "the subscriber's id",
  "73": "the subscriber's name",
  "75": "the subscriber was not found",
  "77": "the subscriber was found, the patient was not",
  "78": "the subscriber is not in the plan",
  "79": "the sender or receiver is not set up",
  "95": "the patient is not eligible",
  T4: "the payer's name or id",
};
