import type { IncomingMessage, ServerResponse } from "node:http";
import { formBytesMax, strangersFormBytesMax } from "./form-bytes.ts";
import { answer } from "./front.ts";
import { plainPageHeaders, plainPage } from "./plain-page.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/**
 * Answers a form that was too long to be kept (`wholeForms`) with a page of its own, since Next would say that we failed.
 * What was typed stays in the page before, where the browser's way back leads; nothing of it comes into the answer.
 * One that does not say how long it is, as no browser sends one, is refused unread (RFC 9110, 15.5.12).
 */
export function largeForms(listener: Listener): Listener {
  return (incoming, outgoing) => {
    const { "content-length": length = "0", "transfer-encoding": inChunks } = incoming.headers;
    const say = (status: number, body: string) => answer(outgoing, { status, headers: plainPageHeaders, body });
    if (inChunks !== undefined) return say(411, ofNoLength);
    if (Number(length) > formBytesMax) return say(413, tooLong);
    // Only what a stranger sent was read and not kept.
    if (incoming.readableEnded && Number(length) > strangersFormBytesMax) return say(403, notSignedIn);
    return listener(incoming, outgoing);
  };
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
