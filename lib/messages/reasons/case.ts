/** Why a case is held again, or needs a person. A reason is stored with the case as it was given, so a new wording is for new cases. */
export const reasons = {
  gateClosed: "The gate you saw is no longer open.",
  requestCorrected: (revision: number) =>
    `A reviewer corrected the request since you opened this page; it is revision ${revision} now.`,
  requestRevised: (revision: number) => `The agent sent revision ${revision} since you opened this page.`,
  decidedAfterReceipt: (decidedAt: string) => `The payer dates this decision ${decidedAt}, after it was received.`,
  refusesFollowedRequest: "The payer refuses what another request has followed.",
  voidUnanswered: "The payer's reply to the void does not say whether it was done.",
  numberOfOtherPatient: "The payer's reply gives the authorization number of another patient's case.",
  numberOfOtherService: "The payer's reply gives the authorization number of a case for another service.",
  answeredOtherRevision: "The payer has another revision than the one whose lines you answered.",
  happenedSince: "Something else happened to this case since you opened this page.",
  decidedAgain: "The payer decided again since you opened this page.",
  otherVoid: "The void you saw is no longer the last one.",
  restoredAskPayer:
    "The database was restored from an earlier state. The payer may have a submission of this case that is not in it: ask the payer before anything is released.",
  restoredSince:
    "The database was restored from an earlier state: this may have been submitted, recalled or withdrawn since.",
  connectionChanged: "The payer connection changed.",
  databaseReplaced: "The database was replaced or restored after the release.",
  practiceSuspended: "The practice is suspended.",
  connectionChangedSince: "The payer connection changed after the release.",
  releaseTooOld: "The release is older than 24 hours.",
  releaserLostRole: "A person who released it may no longer release here.",
  noAutoRelease: (obstacle: string) => `It may not be released automatically any more. ${obstacle}`,
  channelLostAccess: "The channel that sent this no longer has access.",
  connectionNeedsMore: "The payer connection changed and needs more than this revision has.",
  expired: "The request expired before a reviewer decided.",
  stoppedBeforeSending: "The service stopped before anything was sent.",
  notNoted: "The submission could not be noted outside the database.",
  databaseAway: "The database could not be reached before it was sent.",
  stoppedBeforeRecording: "The service stopped before the payer's answer was recorded.",
  submittedBeforeRestore: "It was submitted before the database was restored from an earlier state.",
} as const;

/** Why a request waits for a reviewer although its practice releases automatically. */
export const autoReleaseObstacles = {
  noSandboxPayer: "This deployment has no sandbox payer.",
  practiceLive: "The practice is live.",
  practiceReviews: "The practice reviews its requests itself.",
  connectionLive: "The payer connection is live.",
  caseWasLive: "The case was live before.",
  manual: "A person submits this manually.",
  severalReviewers: "The practice asks for the release of several reviewers.",
  noPayer: "It names no payer.",
  notSandboxPayer: "The payer is not a sandbox payer.",
} as const;
