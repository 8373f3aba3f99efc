import type { Store } from "#lib/db/db";
import { readHeads } from "#lib/audit/shared/heads";
import { liveSession } from "#lib/person/shared/live-session";
import type { Hub, LiveEvent } from "./hub.ts";
import { liveHeaders } from "./live-headers.ts";
import { EventWriter } from "./event-writer.ts";
import { watchedPractices } from "./watched-practices.ts";
import { forPractices } from "#lib/db/for-practices";

type Timing = {
  /** How often a beat is sent, so that browser, proxies and server notice a broken connection. */
  readonly beatMs: number;
  /** How often the session and its practices are checked again. */
  readonly recheckMs: number;
  /** When a stream ends; the browser then opens the next one. */
  readonly lifeMs: number;
};

const defaultTiming: Timing = { beatMs: 15_000, recheckMs: 60_000, lifeMs: 10 * 60_000 };

type StreamRequest = {
  readonly hub: Hub;
  readonly store: Store;
  readonly sessionId: string | undefined;
  readonly signal: AbortSignal;
  readonly timing?: Partial<Timing> | undefined;
};

/**
 * Server-Sent Events for one browser: `cases` with the audit heads of the reader's practices, at once and whenever they
 * change, `desk` with the practices where the people at work changed, and `ended` last of all, once the session is over.
 * It sends only ids and numbers. The session is checked at the start, when its person is signed out or deactivated, and
 * every minute; the stream does not extend it. Who reviews for no practice hears of the session alone. Refuses with 401
 * without a session, 429 with too many streams.
 */
export async function openStream({ hub, store, sessionId, signal, timing }: StreamRequest): Promise<Response> {
  const { beatMs, recheckMs, lifeMs } = { ...defaultTiming, ...timing };
  const readPerson = async () =>
    sessionId === undefined ? undefined : (await liveSession(store, sessionId, { isUse: false }))?.actor;
  const person = await readPerson();
  if (!person) return refuse(401);
  let practices = watchedPractices(person);
  const writer = new EventWriter(signal);
  const notify = (event: LiveEvent) =>
    writer.write(eventOf(event.topic, event.topic === "cases" ? event.heads : event.practices));
  const recheck = async () => {
    const now = await readPerson().catch(() => "unread" as const);
    if (now === undefined) writer.write(eventOf("ended", {}));
    const watched = now === undefined || now === "unread" ? [] : watchedPractices(now);
    // If the session can't be read, the stream ends; so it does when the last practice goes, and the next one has none.
    const ends = now === undefined || now === "unread" || (practices.length > 0 && watched.length === 0);
    practices = watched;
    if (ends) writer.close();
  };
  const leave = hub.subscribe({
    personId: person.id,
    practices: () => practices,
    notify,
    recheck: () => void recheck(),
    end: () => writer.close(),
  });
  if (!leave) return refuse(429);
  const timers = [
    setInterval(() => writer.write(eventOf("beat", {})), beatMs),
    setInterval(() => void recheck(), recheckMs),
    setTimeout(() => writer.close(), lifeMs),
  ];
  const stop = () => {
    leave();
    for (const timer of timers) clearTimeout(timer);
  };
  if (writer.ended.aborted) stop();
  else writer.ended.addEventListener("abort", stop, { once: true });
  // After the subscription, so that no change is missed.
  notify({ topic: "cases", heads: await readHeads(forPractices(store, practices), practices) });
  return new Response(writer.body, { headers: { "content-type": "text/event-stream; charset=utf-8", ...liveHeaders } });
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: liveHeaders });
}

function eventOf(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
