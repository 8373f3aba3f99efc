/** What a payer connection's test found, and why a payer was not reached. Read by administrators, and by reviewers on a case. */
export const payerReasons = {
  noPrivateKey: "The credential has no private key for the client certificate.",
  otherPrivateKey: "The private key doesn't match the certificate.",
  unreadablePrivateKey: "The private key in the credential can't be read.",
  addressNoUrl: "The address isn't a URL.",
  notificationFitsNothing: "The payer's notification names this case and fits no request that was sent for it.",
  requestLost: "The payer's notification can't be compared with the request, because the archive lost the request.",
  notificationUndated: "The payer's notification names an earlier request, and not when it was written.",
  subscriptionEnded:
    "The payer says that it has ended the subscription, or that it has failed. The service subscribes again.",
  noNotifications: "This connection type doesn't support notifications.",
  nothingKept: (problem: string) => `${problem} Nothing was kept.`,
  notSentHere: "Nothing was sent over this wire.",
  answers: (host: string, protocol: string | null) =>
    `${host} answers ${protocol === null ? "in clear, on this machine" : `with a good certificate, ${protocol}`}.`,
  noCapabilityStatement: (status: number) => `It gave no CapabilityStatement (HTTP ${status}).`,
  noTokenCredential: "The connection has no private key or client ID to request a token with.",
  noSenderId: "The connection has no sender ID, by which the payer would choose what to notify of.",
  subscriptionRefused: (status: number, why: string) => `The payer refused the Subscription (HTTP ${status}${why}).`,
  noSubscription: "The payer's answer names no Subscription.",
  noCredential: "The connection has no credential.",
  noClientSecret: "The connection has no client secret.",
  clearinghouseGaveToken: "The clearinghouse issued a token.",
  noReviewRules: (status: number) => `It didn't return its rules for service reviews (HTTP ${status}).`,
  hasReviewRules: "It returns this payer's rules for service reviews.",
  knowsNoReviewRules: "It responds, but has no service review rules for this payer.",
  fixedBearer: "A fixed bearer token is sent.",
  gaveToken: "The payer issued a token.",
  otherFhir: "It uses a FHIR version other than R4.",
  takesSubmit: "It uses FHIR R4 and accepts Claim/$submit.",
  submitNotNamed: "It uses FHIR R4, but its CapabilityStatement doesn't list Claim/$submit.",
  offersNotifications: (says: string) => `${says} It offers notifications.`,
  privateKeySigns: "The credential is a private key. It signs token requests and is never sent.",
  noTokenEndpoint: "The payer's .well-known/smart-configuration names no token endpoint.",
  tokenEndpointElsewhere:
    "The payer's .well-known/smart-configuration names a token endpoint at another host. If it is the payer's, enter it in the payer connection.",
  noSigningKey: "The credential isn't a private key (JWK) for RS384 or ES384.",
  tokenTooLate: "The time for sending was over before the payer gave a token.",
  noToken: (reason: string) => `No token from the payer: ${reason}`,
  noTokenStatus: (status: number) => `The payer's token endpoint gave no token (HTTP ${status}).`,
} as const;

/** Why a payer is not asked for notifications. */
export const notSubscribed = {
  noHttps: "PUBLIC_URL is not an https address, so the payer could not reach this service.",
  noPushes: "This connection type doesn't support notifications.",
  notListed: "The payer directory says that this payer sends no notifications.",
  unknown: "The payer could not be asked whether it offers notifications.",
  notOffered: "The payer's CapabilityStatement offers no notifications.",
} as const;
