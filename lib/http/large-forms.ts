import type { IncomingMessage, ServerResponse } from "node:http";
import { formBytesMax } from "./form-bytes.ts";
import { answer } from "./front.ts";
import { plainPageHeaders, plainPage } from "./plain-page.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/** Read to its end and thrown away, because a browser shows no answer while it still sends. */
const drainedBytesMax = 64 * 1024 * 1024;

/**
 * Answers a form that says it is longer than any may be with a page of its own, since Next would say that we failed.
 * What was typed stays in the page before, where the browser's way back leads; nothing of it comes into the answer.
 * One that does not say how long it is, as no browser sends one, is refused unread (RFC 9110, 15.5.12).
 */
export function largeForms(listener: Listener): Listener {
  return (incoming, outgoing) => {
    const { "content-length": length = "0", "transfer-encoding": inChunks } = incoming.headers;
    if (incoming.method !== "POST") return listener(incoming, outgoing);
    if (inChunks !== undefined) return answer(outgoing, { status: 411, headers: plainPageHeaders, body: ofNoLength });
    const bytes = Number(length);
    if (!(bytes > formBytesMax)) return listener(incoming, outgoing);
    const say = () => answer(outgoing, { status: 413, headers: plainPageHeaders, body: tooLong });
    if (bytes > drainedBytesMax) return say();
    incoming.once("end", say).resume();
  };
}

const tooLong = plainPage({
  title: "That form was too large",
  why: "A file may have 8 MB, and no field of text holds anywhere near as much.",
  next: "Then choose a smaller file.",
});

const ofNoLength = plainPage({
  title: "That form did not say how long it is",
  why: "Every browser says so; something between yours and this service took it away.",
  next: "Then try from another network.",
});
