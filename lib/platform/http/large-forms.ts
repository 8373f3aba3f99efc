import type { IncomingMessage, ServerResponse } from "node:http";
import { formBytesMax, strangersFormBytesMax } from "./form-bytes.ts";
import { answer } from "./front.ts";
import { plainPageHeaders, plainPage } from "./plain-page.ts";
import type { Reply } from "./reply.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/**
 * Answers a form that was too long to be kept (`wholeForms`) with a page of its own, since Next would say that we failed.
 * What was typed stays in the page before, where the browser's way back leads; nothing of it comes into the answer.
 */
export function largeForms(listener: Listener): Listener {
  return (incoming, outgoing) => {
    const header = (name: LengthHeader) => incoming.headers[name];
    // Only what a stranger sent was read and not kept.
    const isUnkept = incoming.readableEnded && Number(header("content-length") ?? 0) > strangersFormBytesMax;
    const refused = refusedForm(header) ?? (isUnkept ? page(403, notSignedIn) : undefined);
    return refused ? answer(outgoing, refused) : listener(incoming, outgoing);
  };
}

type LengthHeader = "content-length" | "transfer-encoding";

/**
 * The answer to a form that nobody may send, by what it says of its length. One that does not say how long it is, as no
 * browser sends one, is refused unread (RFC 9110, 15.5.12).
 */
export function refusedForm(header: (name: LengthHeader) => string | undefined): Reply | undefined {
  if (header("transfer-encoding") !== undefined) return page(411, ofNoLength);
  return Number(header("content-length") ?? 0) > formBytesMax ? page(413, tooLong) : undefined;
}

function page(status: number, body: string): Reply {
  return { status, headers: plainPageHeaders, body };
}

const tooLong = plainPage({
  title: "That form was too large",
  why: "A file may have 8 MB, and no field of text holds anywhere near as much.",
  next: "Then choose a smaller file.",
});

const notSignedIn = plainPage({
  title: "You are not signed in any more",
  why: "Files are taken from people who are signed in.",
  next: "Then sign in in another tab, and send it again.",
});

const ofNoLength = plainPage({
  title: "That form did not say how long it is",
  why: "Every browser says so; something between yours and this service took it away.",
  next: "Then try from another network.",
});
