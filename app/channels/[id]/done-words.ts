const words = {
  renamed: "Renamed.",
  rights: "Saved. It holds from the channel's next call on.",
  owner: "Saved. The owner releases nothing of what this channel asks.",
  client: "Saved. The agent can ask for tokens signed with these keys.",
  limits: "Saved. They hold from its next call on, over all servers together.",
  networks: "Saved. From its next call on, every call from elsewhere is denied.",
  revoked: "Revoked. Every call with it is denied from now on.",
  suspended: "Suspended. Every key of this channel is denied.",
  resumed: "Active again. Its live keys work.",
} as const;

/** What was just done on a channel's page, as its address says it. */
export type Done = keyof typeof words;

/** The words for what an address says was done; undefined for anything else it may say. */
export function doneText(done: string | readonly string[] | undefined): string | undefined {
  const known: Readonly<Record<string, string>> = words;
  return typeof done === "string" && Object.hasOwn(known, done) ? known[done] : undefined;
}
