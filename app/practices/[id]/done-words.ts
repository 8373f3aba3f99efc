const words = {
  made: "Made. A channel reaches it once you tick it on the channel's page.",
  renamed: "Renamed.",
  settings: "Saved. Gates that are open keep their expiry.",
  targets: "Saved. What waits already keeps its target.",
  rules: "Saved. It holds at once, for what waits at a gate too.",
  warnings: "Saved. It holds at once, for what waits at a gate too.",
  "second-factor": "Saved. It holds from the next page anybody opens.",
  line: "Saved. The clocks of the payer's open cases follow it.",
  providers: "Saved. It holds at once, for what waits at a gate too.",
  route: "In force. Gates that were open on the version before are superseded by gates on this one.",
  tested: "Tested. How each step went stands below.",
  sso: "Saved. Passwords open nothing here any more; who was signed in by one has lost this practice.",
  passwords: "Saved. Passwords open this practice again.",
  suspended: "Suspended. No channel reaches it, and nothing is sent for it.",
  resumed: "Active again.",
} as const;

/** What was just done on a practice's page, as its address says it. */
export type Done = keyof typeof words;

/** The words for what an address says was done; undefined for anything else it may say. */
export function doneText(done: string | readonly string[] | undefined): string | undefined {
  const known: Readonly<Record<string, string>> = words;
  return typeof done === "string" && Object.hasOwn(known, done) ? known[done] : undefined;
}
