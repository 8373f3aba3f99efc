import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Reply } from "./reply.ts";

/** A reply of more bytes than this is compressed; a shorter one fits in few packets as it is. */
export const plainReplyBytesMax = 2_048;

const compress = promisify(gzip);

/** The fastest level, whose result is a few percent longer than that of the best. */
const level = 1;

/** The same reply in gzip, where it is long and its caller accepts that (RFC 9110, 12.5.3). Other threads do the work. */
export function compressed(reply: Reply, accepted: string | undefined): Reply | Promise<Reply> {
  const { headers, body } = reply;
  if (accepted === undefined || Buffer.byteLength(body) <= plainReplyBytesMax || !acceptsGzip(accepted)) return reply;
  return compress(body, { level }).then((bytes) => ({
    ...reply,
    headers: { ...headers, "content-encoding": "gzip" },
    body: bytes,
  }));
}

function acceptsGzip(accepted: string): boolean {
  return accepted
    .split(",")
    .some((coding) => /^\s*(?:x-)?gzip\s*(?:;\s*q\s*=\s*(?!0(?:\.0{0,3})?\s*$)[\d.]+\s*)?$/i.test(coding));
}
