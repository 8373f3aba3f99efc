const words = {
  invited: "Invited. The link is on its way by mail.",
  roles: "Saved. It holds from their next request on.",
  link: "The link is on its way by mail.",
  closed: "Closed. Every session ended, and nobody signs in with this account.",
  reset: "Taken away. Every session ended; they sign in without a second factor and can add one again.",
  opened: "Open again, with the roles it had.",
  ended: "Ended. The next request of that browser is refused.",
} as const;

/** What was just done on a person's page, as its address says it. */
export type Done = keyof typeof words;

/** The words for what an address says was done; undefined for anything else it may say. */
export function doneText(done: string | readonly string[] | undefined): string | undefined {
  const known: Readonly<Record<string, string>> = words;
  return typeof done === "string" && Object.hasOwn(known, done) ? known[done] : undefined;
}
