import type { IncomingMessage, ServerResponse } from "node:http";
import { answer } from "./front.ts";
import { withinPost, type PagePost } from "#lib/platform/process/page-post";
import { plainPageHeaders, plainPage } from "./plain-page.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/** As the build names server actions: in hex. */
const actionId = /^[0-9a-f]{1,128}$/;

/** By it Next says that no action of this build has that name; its status is 400 where none can have it, otherwise 409. */
const noSuchAction = "x-nextjs-action-not-found";

/**
 * Answers a post that cannot be read with 400 and a page of its own: one that names no action by its form, and one that
 * Next fails on before anything of ours has begun to work on it, which it would tell as our failure. A form of an earlier
 * build, sent without a script, is answered 409 so; a script is left to Next, which tells it by a header. Nothing was done
 * then.
 */
export function unreadPosts(listener: Listener): Listener {
  return (incoming, outgoing) => {
    if (incoming.method !== "POST") return listener(incoming, outgoing);
    const action = incoming.headers["next-action"];
    if (action !== undefined && !actionId.test(String(action))) return refuse(outgoing, unread);
    const post: PagePost = { begun: false, unread: false };
    const isUnread = () => post.unread || !post.begun;
    refuseInstead(outgoing, (status) => {
      if (status === 500 && isUnread()) return unread;
      if (!outgoing.hasHeader(noSuchAction)) return undefined;
      if (status === 400) return unread;
      return status === 409 && action === undefined ? outdated : undefined;
    });
    return withinPost(post, () => listener(incoming, outgoing));
  };
}

type Refusal = { readonly status: number; readonly body: string };

function refuse(outgoing: ServerResponse, refusal: Refusal): void {
  answer(outgoing, { headers: plainPageHeaders, ...refusal });
}

/** Once it would answer with a status that has a refusal, it says that instead, and whatever is still written goes nowhere. */
function refuseInstead(outgoing: ServerResponse, refusalAt: (status: number) => Refusal | undefined): void {
  // The request's id and what every answer carries; the rest is Next's.
  const ours = new Map(Object.entries(outgoing.getHeaders()).map(([name, value]) => [name, value ?? ""]));
  const own = {
    writeHead: outgoing.writeHead.bind(outgoing),
    flushHeaders: outgoing.flushHeaders.bind(outgoing),
    write: outgoing.write.bind(outgoing),
    end: outgoing.end.bind(outgoing),
  };
  let refused = false;
  const isRefused = (status = outgoing.statusCode) => {
    if (refused || outgoing.headersSent) return refused;
    const refusal = refusalAt(status);
    if (!refusal) return false;
    refused = true;
    for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
    outgoing.setHeaders(ours);
    Object.assign(outgoing, own);
    refuse(outgoing, refusal);
    Object.assign(outgoing, replaced);
    return true;
  };
  // Whatever writes first comes by one of these four, with the head or before it.
  const replaced = {
    writeHead: (status: number, ...rest: readonly unknown[]) =>
      isRefused(status) ? outgoing : Reflect.apply(own.writeHead, outgoing, [status, ...rest]),
    flushHeaders: () => (isRefused() ? undefined : own.flushHeaders()),
    write: (...given: readonly unknown[]) => isRefused() || Reflect.apply(own.write, outgoing, given),
    end: (...given: readonly unknown[]) => (isRefused() ? outgoing : Reflect.apply(own.end, outgoing, given)),
  };
  Object.assign(outgoing, replaced);
}

const unread: Refusal = {
  status: 400,
  body: plainPage({
    title: "That form could not be read",
    why: "It did not arrive as a page of ours sends it.",
    next: "Then load the page anew, and try again.",
  }),
};

const outdated: Refusal = {
  status: 409,
  body: plainPage({
    title: "That page is out of date",
    why: "The service was updated since the page was loaded.",
    next: "Copy it, load the page anew, and send it again.",
  }),
};
