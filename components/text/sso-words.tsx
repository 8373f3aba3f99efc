const sentences: Readonly<Record<string, (label: string) => string>> = {
  "no-answer": (label) => `${label} does not answer. Try again in a moment; if it goes on, tell your administrator.`,
  declined: (label) => `${label} did not let you through. Nothing happened here; you can try again.`,
  "not-valid": (label) =>
    `What came back from ${label} could not be verified, so nothing was done. Try again; if it goes on, tell your administrator.`,
  "no-auth-time": (label) =>
    `${label} does not say when it last asked who you are, so that its word is no new proof. Tell your administrator: it has to send the claim auth_time in its ID tokens.`,
  "not-asked-anew": (label) =>
    `${label} let you through without asking who you are, which proves nothing new. Sign out there and try again; if it goes on, tell your administrator: it has to ask where it is told prompt=login and max_age=0.`,
  lost: () =>
    "This was begun in another browser, or more than ten minutes ago, or it was ended already. Begin it again.",
};

/** Why a trip to the provider came to nothing, whatever it was for; undefined where the page itself has the words. */
export function ssoFailureText(why: string, label: string): string | undefined {
  const sentence = Object.hasOwn(sentences, why) ? sentences[why]?.(label) : undefined;
  return sentence && `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}
