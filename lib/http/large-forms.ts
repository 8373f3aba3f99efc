import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { answer } from "./front.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/** The most a form may carry, as next.config.mjs has it. */
export const formBytesMax = 9 * 1024 * 1024;

/** Read to its end and thrown away, because a browser shows no answer while it still sends. */
const drainedBytesMax = 64 * 1024 * 1024;

/**
 * Answers a form that says it is longer than any may be with a page of its own, since Next would say that we failed.
 * What was typed stays in the page before, where the browser's way back leads; nothing of it comes into the answer.
 */
export function largeForms(listener: Listener): Listener {
  return (incoming, outgoing) => {
    const bytes = Number(incoming.headers["content-length"] ?? 0);
    if (incoming.method !== "POST" || !(bytes > formBytesMax)) return listener(incoming, outgoing);
    const say = () => answer(outgoing, { status: 413, headers, body: page });
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

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>${style}</style>
<title>Too large · Prior authorization</title>
<h1>That form was too large</h1>
<p>Nothing was done. A file may have 8 MB, and no field of text holds anywhere near as much.</p>
<p>Go back with your browser: what you typed is still there. Then choose a smaller file.</p>
<p><a href="">Or open the page anew</a>, without what you typed.</p>
</html>
`;
