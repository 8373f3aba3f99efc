import type { Store } from "#lib/db/db";
import { readHeads } from "#lib/audit/store/heads";
import { liveSession } from "#lib/person/store/people";
import type { Hub, News } from "./hub.ts";
import { liveHeaders } from "./live-headers.ts";
import { Outlet } from "./outlet.ts";
import { watchedPractices } from "./watched-practices.ts";

type Timing = {
  /** How often something is sent, so that either side, and whoever stands between, notices that the other is gone. */
  readonly beatMs: number;
  /** How long a session that ended, or a practice that was taken away, is still told of. */
  readonly recheckMs: number;
  /** No stream is for ever; the browser asks for the next. */
  readonly lifeMs: number;
};

const everyday: Timing = { beatMs: 15_000, recheckMs: 60_000, lifeMs: 10 * 60_000 };

type Asked = {
  readonly hub: Hub;
  readonly store: Store;
  readonly sessionId: string | undefined;
  readonly signal: AbortSignal;
  readonly timing?: Partial<Timing> | undefined;
};

/**
 * Server-Sent Events for one browser: `cases` with the heads of the reader's
 * practices, at once and whenever they move, and `desk` with the practices
 * where the people at work changed. Ids and numbers only. The session is
 * checked at the start, when its person is signed out or disabled, and every
 * minute, and is not kept alive by it: 401
 * where there is none, 403 for who reviews for nobody, 429 with too many open.
 */
export async function openStream({ hub, store, sessionId, signal, timing }: Asked): Promise<Response> {
  const { beatMs, recheckMs, lifeMs } = { ...everyday, ...timing };
  const look = async () =>
    sessionId === undefined ? undefined : (await liveSession(store, sessionId, { isUse: false }))?.actor;
  const person = await look();
  if (!person) return refused(401);
  let practices = watchedPractices(person);
  if (practices.length === 0) return refused(403);
  const outlet = new Outlet(signal);
  const hear = (news: News) => outlet.write(eventOf(news.topic, news.topic === "cases" ? news.heads : news.practices));
  const recheck = async () => {
    // Where it cannot be asked, nobody is told anything.
    const now = await look().catch(() => undefined);
    practices = now ? watchedPractices(now) : [];
    if (practices.length === 0) outlet.close();
  };
  const leave = hub.subscribe({
    personId: person.id,
    practices: () => practices,
    hear,
    recheck: () => void recheck(),
    end: () => outlet.close(),
  });
  if (!leave) return refused(429);
  const timers = [
    setInterval(() => outlet.write(eventOf("beat", {})), beatMs),
    setInterval(() => void recheck(), recheckMs),
    setTimeout(() => outlet.close(), lifeMs),
  ];
  const stop = () => {
    leave();
    for (const timer of timers) clearTimeout(timer);
  };
  if (outlet.ended.aborted) stop();
  else outlet.ended.addEventListener("abort", stop, { once: true });
  // After it was subscribed, so that nothing falls in between.
  hear({ topic: "cases", heads: await readHeads(store, practices) });
  return new Response(outlet.body, { headers: { "content-type": "text/event-stream; charset=utf-8", ...liveHeaders } });
}

function refused(status: number): Response {
  return new Response(null, { status, headers: liveHeaders });
}

function eventOf(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
