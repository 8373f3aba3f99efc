import type { Arrived, Read } from "./call.ts";
import type { Refused } from "./faults.ts";
import { bodyBytesMax, bodyMs } from "./limits.ts";

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*(?:"utf-8"|utf-8)\s*)?$/i;

/** Rung 1: a POST of JSON, whose body is read whole only within the limit and the deadline. */
export async function checkHttp({ arrival }: Arrived): Promise<Read | Refused> {
  if (arrival.method !== "POST") return refuse("method-not-allowed", "Send a POST.");
  if (!jsonType.test(arrival.header("content-type") ?? "")) {
    return refuse("unsupported-media-type", "Send application/json; its only charset is utf-8.");
  }
  if ((arrival.header("content-encoding") ?? "identity").toLowerCase() !== "identity") {
    return refuse("unsupported-media-type", "Send the body without a content encoding.");
  }
  if (Number(arrival.header("content-length") ?? 0) > bodyBytesMax) return tooLarge();
  const body = await arrival.readBody();
  if (body === "too-large") return tooLarge();
  if (body === "too-slow") return refuse("body-too-slow", `Send the whole body within ${bodyMs / 1000} s.`);
  if (body === "cut-short") return refuse("not-http", "The body ended before it was whole.");
  return { bytes: body };
}

function tooLarge(): Refused {
  return refuse("body-too-large", `Send at most ${bodyBytesMax} bytes.`);
}

function refuse(fault: Refused["fault"], problem: string): Refused {
  return { fault, data: { problem } };
}
