/** Shown where too many people sign in or prove who they are at once. In a file of its own, so that sign-in loads no other. */
export const busyText = "Too many people are signing in right now. Nothing was done. Try again in a moment.";
