import { admins, allAdmins, allReaders, withHomePage, ours, signedIn, type Caller, type Scene } from "./callers.ts";

/** What a request came to. `in`: the page or the file itself; `unauthenticated`: told to sign in first. */
export type Outcome = "in" | "unauthenticated" | "not found" | "elsewhere" | "refused";

export type Page = {
  readonly at: (scene: Scene) => string;
  /** Who gets in; `all` needs no session. Everybody else gets `otherwise`. */
  readonly for: readonly Caller[] | "all";
  /** Of those who are not signed in, and of those who are; a page's own answers unless given. */
  readonly otherwise?: { readonly signedOut: Outcome; readonly signedIn: Outcome };
  /** GET unless given, with this body. Every method the route's file answers has a line of its own. */
  readonly method?: "POST";
  readonly form?: Readonly<Record<string, string>>;
  /** What the same route answers another method. */
  readonly also?: Page;
};

const nothing = { signedOut: "not found", signedIn: "not found" } as const;
const refused = { signedOut: "refused", signedIn: "refused" } as const;
const since = ({ practice: { id } }: Scene) => `since=${encodeURIComponent(`${id}:0`)}`;

/** The tabs of a thing's page, which the administrators of its practice see. */
function tabsOf(place: string, tabs: readonly string[], id: (scene: Scene) => string): Readonly<Record<string, Page>> {
  return Object.fromEntries(
    tabs.map((tab) => [
      `/${place}/[id]/${tab}/page`,
      { at: (scene: Scene) => `/${place}/${id(scene)}/${tab}`, for: admins },
    ]),
  );
}

/**
 * Every page and route of the build, by its name in `.next/server/app-paths-manifest.json`, with who may see it. What
 * each of them then sees is checked by the canaries of the scene.
 */
export const pages: Readonly<Record<string, Page>> = {
  // Whoever only audits is led to the audit log.
  "/(home)/page": {
    at: () => "/",
    for: withHomePage,
    otherwise: { signedOut: "unauthenticated", signedIn: "elsewhere" },
  },
  // A list in which nothing waits for a decision; any other leads on to a case.
  "/tasks/next/page": { at: () => "/tasks/next?list=view%3Dsent-back", for: signedIn },
  "/help/page": { at: () => "/help", for: signedIn },
  "/_not-found/page": { at: () => "/nowhere", for: [], otherwise: nothing },
  "/_global-error/page": { at: () => "/_global-error", for: [], otherwise: nothing },
  "/developers/page": { at: () => "/developers", for: "all" },
  // Of a channel, only what its owner or its key shows: lib/channel/own-channel.store.test.ts.
  "/developers/calls/page": { at: () => "/developers/calls", for: "all" },
  "/developers/search/page": { at: () => "/developers/search?q=void", for: "all" },
  "/developers/[page]/page": { at: () => "/developers/quickstart", for: "all" },
  "/developers/markdown/[page]/route": { at: () => "/developers/quickstart.md", for: "all" },
  "/developers/schemas/[name]/route": { at: () => "/developers/schemas/service-review.json", for: "all" },
  "/developers/files/[name]/route": { at: () => "/developers/files/review.json", for: "all" },
  "/developers/openrpc.json/route": { at: () => "/developers/openrpc.json", for: "all" },
  "/llms.txt/route": { at: () => "/llms.txt", for: "all" },
  "/sign-in/page": {
    at: () => "/sign-in",
    for: ["nobody", "no longer enabled", "signed out"],
    otherwise: { signedOut: "in", signedIn: "elsewhere" },
  },
  // Nobody here is between the two steps.
  "/sign-in/second/page": {
    at: () => "/sign-in/second",
    for: [],
    otherwise: { signedOut: "unauthenticated", signedIn: "unauthenticated" },
  },
  // Without a provider there is none of this; e2e/account/sso.spec.ts has one.
  "/sign-in/sso/route": { at: () => "/sign-in/sso", method: "POST", form: {}, for: [], otherwise: nothing },
  "/sign-in/sso/back/route": { at: () => "/sign-in/sso/back", for: [], otherwise: nothing },
  "/account/page": { at: () => "/account", for: signedIn },
  // Nobody here came through a provider; e2e/account/sso.spec.ts has one.
  "/account/proof/page": {
    at: () => "/account/proof",
    for: [],
    otherwise: { signedOut: "unauthenticated", signedIn: "elsewhere" },
  },
  "/account/notifications/page": { at: () => "/account/notifications", for: signedIn },
  "/account/security/page": { at: () => "/account/security", for: signedIn },
  // Whoever reviews nothing is told so there.
  "/queue/page": { at: () => "/queue", for: signedIn },
  "/queue/bulk/page": { at: ({ held }) => `/queue/bulk?act=release&case=${held.id}`, for: signedIn },
  "/reports/page": { at: () => "/reports", for: [], otherwise: { signedOut: "elsewhere", signedIn: "elsewhere" } },
  // Whoever has no practice to report on is told so there.
  "/reports/[report]/page": { at: () => "/reports/overview", for: signedIn },
  "/reports/[report]/csv/route": { at: () => "/reports/reviews/csv", for: signedIn, otherwise: nothing },
  "/tasks/[id]/page": { at: ({ held }) => `/tasks/${held.id}`, for: ours },
  "/tasks/[id]/packet/page": {
    at: ({ released }) => `/tasks/${released.id}/packet`,
    for: ours,
  },
  "/tasks/[id]/print/page": { at: ({ released }) => `/tasks/${released.id}/print`, for: ours },
  "/tasks/[id]/attachments/[sha256]/route": {
    at: ({ held, fileDigest }) => `/tasks/${held.id}/attachments/${fileDigest}`,
    for: ours,
    otherwise: nothing,
  },
  // Both are shown to their reviewers in lib/submission/payer-answers.store.test.ts; the scene has neither.
  "/tasks/[id]/answers/[answerId]/route": {
    at: ({ held }) => `/tasks/${held.id}/answers/${held.id}`,
    for: [],
    otherwise: nothing,
  },
  // Parts of the viewer of documents, the same for everyone.
  "/document-parts/[folder]/[file]/route": {
    at: () => "/document-parts/standard_fonts/LiberationSans-Regular.ttf",
    for: "all",
  },
  "/notifications/[id]/route": { at: ({ held }) => `/notifications/${held.id}`, for: [], otherwise: nothing },
  // Whoever reviews nothing finds an empty list.
  "/notifications/page": { at: () => "/notifications", for: signedIn },
  "/tasks/[id]/receipts/[receiptId]/route": {
    at: ({ released, receiptId }) => `/tasks/${released.id}/receipts/${receiptId}`,
    for: ours,
    otherwise: nothing,
  },
  "/tasks/[id]/presence/route": {
    at: ({ held }) => `/tasks/${held.id}/presence?sign=seen`,
    method: "POST",
    for: ours,
    otherwise: { signedOut: "unauthenticated", signedIn: "not found" },
  },
  "/channels/page": { at: () => "/channels", for: allAdmins },
  "/channels/[id]/page": { at: ({ practice }) => `/channels/${practice.channel.id}`, for: admins },
  "/practices/page": { at: () => "/practices", for: allAdmins },
  "/practices/[id]/page": { at: ({ practice }) => `/practices/${practice.id}`, for: admins },
  "/channels/new/page": { at: () => "/channels/new", for: allAdmins },
  ...tabsOf("channels", ["keys", "access", "webhooks", "activity", "history"], ({ practice }) => practice.channel.id),
  "/practices/new/page": { at: () => "/practices/new", for: ["admin"] },
  ...tabsOf("practices", ["connections", "rules", "providers", "members", "history"], ({ practice }) => practice.id),
  // An access is its owner's alone; lib/task/emergency-access.store.test.ts has one.
  "/emergency/page": { at: () => "/emergency", for: [...withHomePage, "auditor", "auditor elsewhere"] },
  "/tasks/[id]/emergency/page": { at: ({ held }) => `/tasks/${held.id}/emergency`, for: [] },
  "/changes/page": { at: () => "/changes", for: allAdmins },
  "/practices/[id]/new-route/page": { at: ({ practice }) => `/practices/${practice.id}/new-route`, for: admins },
  "/practices/[id]/payers/page": { at: ({ practice }) => `/practices/${practice.id}/payers`, for: admins },
  "/practices/[id]/payer/page": { at: ({ practice }) => `/practices/${practice.id}/payer?payer=60054`, for: admins },
  "/practices/[id]/route/page": { at: ({ practice }) => `/practices/${practice.id}/route?payer=87042`, for: admins },
  "/import/page": { at: () => "/import", for: allAdmins },
  "/people/page": { at: () => "/people", for: allAdmins },
  "/people/groups/page": { at: () => "/people/groups", for: allAdmins },
  "/people/invite/page": { at: () => "/people/invite", for: allAdmins },
  ...tabsOf("people", ["roles", "sessions", "history"], ({ idOf }) => idOf.reviewer),
  "/people/[id]/page": { at: ({ idOf }) => `/people/${idOf.reviewer}`, for: admins },
  // To whoever holds a link; the page itself knows nothing.
  "/invite/page": { at: () => "/invite", for: "all" },
  "/audit/page": { at: () => "/audit", for: allReaders },
  "/audit/export/route": { at: () => "/audit/export", method: "POST", form: {}, for: allReaders, otherwise: nothing },
  // What a page asks by itself; whoever reviews nothing hears of their session and of no case.
  "/session/route": { at: () => "/session", for: signedIn },
  "/live/route": { at: () => "/live", for: signedIn },
  "/live/heads/route": { at: () => "/live/heads", for: signedIn },
  "/live/case/route": { at: (scene) => `/live/case?task=${scene.held.id}&${since(scene)}`, for: signedIn },
  "/tasks/[id]/preview/route": {
    at: ({ held }) => `/tasks/${held.id}/preview`,
    for: ours,
    otherwise: { signedOut: "unauthenticated", signedIn: "not found" },
  },
  "/live/queue/route": { at: (scene) => `/live/queue?${since(scene)}`, for: signedIn },
  "/live/views/route": { at: () => "/live/views", for: signedIn },
  "/live/waiting/route": { at: (scene) => `/live/waiting?${since(scene)}`, for: signedIn },
  // Known to everybody.
  "/.well-known/agent-card.json/route": { at: () => "/.well-known/agent-card.json", for: "all" },
  "/.well-known/agent.json/route": { at: () => "/.well-known/agent.json", for: "all" },
  "/.well-known/receipt-keys.json/route": { at: () => "/.well-known/receipt-keys.json", for: "all" },
  // For programs, which bring credentials of their own; a person's session opens none of them.
  "/health/live/route": { at: () => "/health/live", for: "all" },
  "/health/ready/route": { at: () => "/health/ready", for: "all" },
  "/api/a2a/route": {
    at: () => "/api/a2a",
    method: "POST",
    for: [],
    otherwise: refused,
  },
  "/api/token/route": {
    at: () => "/api/token",
    method: "POST",
    for: [],
    otherwise: refused,
  },
  "/api/payers/[routeId]/notifications/route": {
    at: ({ held }) => `/api/payers/${held.id}/notifications`,
    method: "POST",
    for: [],
    otherwise: { signedOut: "unauthenticated", signedIn: "unauthenticated" },
  },
  "/api/auth/[...nextauth]/route": {
    at: () => "/api/auth/session",
    for: "all",
    also: {
      at: () => "/api/auth/callback/credentials",
      method: "POST",
      form: { email: "a@b.example", password: "x" },
      for: [],
      otherwise: { signedOut: "elsewhere", signedIn: "elsewhere" },
    },
  },
};

/** What server.ts answers itself, beside the routes above, and the files in `public`. */
export const others: Readonly<Record<string, Page>> = {
  "/audit-verify.mjs": { at: () => "/audit-verify.mjs", for: "all" },
  "/import/payers.csv": { at: () => "/import/payers.csv", for: "all" },
  "/import/practices.csv": { at: () => "/import/practices.csv", for: "all" },
  "/import/routes.csv": { at: () => "/import/routes.csv", for: "all" },
  "/icon.svg": { at: () => "/icon.svg", for: "all" },
};

/** A route's line, and those of its other methods. */
export function linesOf(page: Page): readonly Page[] {
  return page.also ? [page, ...linesOf(page.also)] : [page];
}
