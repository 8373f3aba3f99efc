import type { IncomingMessage, ServerResponse } from "node:http";
import { answer } from "./front.ts";
import { withinPost, type PagePost } from "#lib/platform/process/page-post";
import { plainPageHeaders, plainPage } from "./plain-page.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/** As the build names server actions: in hex. */
const actionId = /^[0-9a-f]{1,128}$/;

/**
 * Answers a post that cannot be read with 400 and a page of its own: one that names no action by its form, and one that
 * Next fails on before anything of ours has begun to work on it, which it would tell as our failure. Nothing was done then.
 */
export function unreadPosts(listener: Listener): Listener {
  return (incoming, outgoing) => {
    if (incoming.method !== "POST") return listener(incoming, outgoing);
    const action = incoming.headers["next-action"];
    if (action !== undefined && !actionId.test(String(action))) return refuse(outgoing);
    const post: PagePost = { begun: false, unread: false };
    refuseInstead(outgoing, () => post.unread || !post.begun);
    return withinPost(post, () => listener(incoming, outgoing));
  };
}

function refuse(outgoing: ServerResponse): void {
  answer(outgoing, { status: 400, headers: plainPageHeaders, body: unread });
}

/** Once it would say 500 of a post that was not read, it says 400, and whatever is still written goes nowhere. */
function refuseInstead(outgoing: ServerResponse, isUnread: () => boolean): void {
  const own = {
    writeHead: outgoing.writeHead.bind(outgoing),
    flushHeaders: outgoing.flushHeaders.bind(outgoing),
    write: outgoing.write.bind(outgoing),
    end: outgoing.end.bind(outgoing),
  };
  let refused = false;
  const isRefused = (status = outgoing.statusCode) => {
    if (refused || outgoing.headersSent || status !== 500 || !isUnread()) return refused;
    refused = true;
    for (const name of outgoing.getHeaderNames()) outgoing.removeHeader(name);
    Object.assign(outgoing, own);
    refuse(outgoing);
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

const unread = plainPage({
  title: "That form could not be read",
  why: "It did not arrive as a page of ours sends it.",
  next: "Then load the page anew, and try again.",
});
