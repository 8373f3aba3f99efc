/** What addresses here are made of. Whatever else stands in one is an id, or what somebody typed. */
const routes: ReadonlySet<string> = new Set(
  `
  .well-known a2a access account activity agent-card.json agent.json answers api attachments audit auth back
  bulk calls case changes channels connections csv developers document-parts emergency export files groups heads health help history import invite keys live llms.txt
  markdown members new new-route next notifications openrpc.json packet payer payers people practices presence preview print proof providers
  queue ready receipt-keys.json receipts reports roles route rules schemas search second security session sessions sign-in
  sso tasks token views waiting webhooks
`
    .trim()
    .split(/\s+/),
);

const partsMax = 5;

/** A request's target as a log may say it: `/tasks/[id]/print`. Only words of our own are repeated. */
export function placeOf(target: string): string {
  const path = /^[^?#]*/.exec(target)?.[0] ?? "";
  const parts = path.split("/").filter((part) => part !== "");
  const shown = parts.slice(0, partsMax).map((part) => (routes.has(part) ? part : "[id]"));
  return `/${shown.join("/")}`;
}
