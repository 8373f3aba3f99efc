/** What addresses here are made of. Whatever else stands in one is an id, or what somebody typed. */
const words: ReadonlySet<string> = new Set([
  ...[".well-known", "a2a", "account", "agent-card.json", "agent.json", "api", "attachments", "audit", "auth", "back"],
  ...["bulk", "case", "channels", "csv", "export", "groups", "heads", "health", "import", "invite", "live"],
  ...[
    "new-route",
    "notifications",
    "packet",
    "payer",
    "payers",
    "people",
    "practices",
    "presence",
    "print",
    "proof",
    "queue",
    "reports",
  ],
  ...["ready", "receipt-keys.json", "receipts", "route", "second", "security", "session", "sign-in", "sso", "tasks"],
  ...["answers", "token", "waiting", "new", "keys", "access", "activity", "history", "changes", "roles", "sessions"],
  ...["connections", "rules", "providers", "members", "webhooks"],
]);

const partsMax = 5;

/** A request's target as a log may say it: `/tasks/[id]/print`. Only words of our own are repeated. */
export function placeOf(target: string): string {
  const path = /^[^?#]*/.exec(target)?.[0] ?? "";
  const parts = path.split("/").filter((part) => part !== "");
  const shown = parts.slice(0, partsMax).map((part) => (words.has(part) ? part : "[id]"));
  return `/${shown.join("/")}`;
}
