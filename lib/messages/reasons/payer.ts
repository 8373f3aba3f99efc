/** What a payer connection's test found, and why a payer was not reached. Read by administrators, and by reviewers on a case. */
export const payerReasons = {
  noPrivateKey: "The route's credential has no private key for its client certificate.",
  otherPrivateKey: "The route's private key is not that of its certificate.",
  unreadablePrivateKey: "The private key in the route's credential cannot be read.",
  addressNoUrl: "The route's address is not a URL.",
  notificationFitsNothing: "The payer's notification names this case and fits no request that was sent for it.",
  notificationUndated: "The payer's notification names an earlier request, and not when it was written.",
  noNotifications: "This connection takes no notifications.",
  nothingKept: (problem: string) => `${problem} Nothing was kept.`,
  notSentHere: "Nothing was sent over this wire.",
  answers: (host: string, protocol: string | null) =>
    `${host} answers ${protocol === null ? "in clear, on this machine" : `with a good certificate, ${protocol}`}.`,
  noCapabilityStatement: (status: number) => `It gave no CapabilityStatement (HTTP ${status}).`,
  noTokenCredential: "The route has no private key or client id to ask for a token with.",
  noSenderId: "The connection has no sender ID, by which the payer would choose what to notify of.",
  subscriptionRefused: (status: number, why: string) => `The payer refused the Subscription (HTTP ${status}${why}).`,
  noSubscription: "The payer's answer names no Subscription.",
  noCredential: "The route has no credential.",
  noClientSecret: "The route has no client secret.",
  clearinghouseGaveToken: "The clearinghouse gave a token.",
  noReviewRules: (status: number) => `It did not tell its rules for service reviews (HTTP ${status}).`,
  hasReviewRules: "It tells its rules for service reviews of this payer.",
  knowsNoReviewRules: "It answers, and knows no rules for service reviews of this payer.",
  fixedBearer: "A fixed bearer is sent.",
  gaveToken: "The payer gave a token.",
  otherFhir: "It speaks another FHIR than R4.",
  takesSubmit: "It speaks FHIR R4 and takes Claim/$submit.",
  submitNotNamed: "It speaks FHIR R4; its CapabilityStatement does not name Claim/$submit.",
  offersNotifications: (says: string) => `${says} It offers notifications.`,
  privateKeySigns: "The route's credential is a private key. It signs, and is never sent itself.",
  noTokenEndpoint: "The payer's .well-known/smart-configuration names no token endpoint.",
  tokenEndpointElsewhere:
    "The payer's .well-known/smart-configuration names a token endpoint at another host. If it is the payer's, enter it in the payer connection.",
  noSigningKey: "The route's credential is not a private key (JWK) for RS384 or ES384.",
  tokenTooLate: "The time for sending was over before the payer gave a token.",
  noToken: (reason: string) => `No token from the payer: ${reason}`,
  noTokenStatus: (status: number) => `The payer's token endpoint gave no token (HTTP ${status}).`,
} as const;

/** Why a payer is not asked for notifications. */
export const notSubscribed = {
  noHttps: "PUBLIC_URL is not an https address, so the payer could not reach this service.",
  noPushes: "The payer connection's type takes no notifications.",
  notListed: "The payer directory says that this payer sends no notifications.",
  unknown: "The payer could not be asked whether it offers notifications.",
  notOffered: "The payer's CapabilityStatement offers no notifications.",
} as const;
