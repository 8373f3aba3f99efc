import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { formBytesMax } from "./form-bytes.ts";
import { answer } from "./front.ts";

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
    if (inChunks !== undefined) return answer(outgoing, { status: 411, headers, body: ofNoLength });
    const bytes = Number(length);
    if (!(bytes > formBytesMax)) return listener(incoming, outgoing);
    const say = () => answer(outgoing, { status: 413, headers, body: tooLong });
    if (bytes > drainedBytesMax) return say();
    incoming.once("end", say).resume();
  };
}

const style =
  "body{font:15px/1.5 system-ui,sans-serif;max-width:26rem;margin:20vh auto;padding:0 1rem}h1{font-size:1.25rem}a{color:inherit}";

const headers = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
};

type Said = { readonly title: string; readonly why: string; readonly next: string };

const tooLong = pageOf({
  title: "That form was too large",
  why: "A file may have 8 MB, and no field of text holds anywhere near as much.",
  next: "Then choose a smaller file.",
});

const ofNoLength = pageOf({
  title: "That form did not say how long it is",
  why: "Every browser says so; something between yours and this service took it away.",
  next: "Then try from another network.",
});

function pageOf({ title, why, next }: Said): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>${style}</style>
<title>${title} · Prior authorization</title>
<h1>${title}</h1>
<p>Nothing was done. ${why}</p>
<p>Go back with your browser: what you typed is still there. ${next}</p>
<p><a href="">Or open the page anew</a>, without what you typed.</p>
</html>
`;
}
