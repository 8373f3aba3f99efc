import { authenticateChannel } from "#lib/auth/channel";
import { bearerOf } from "./bearer.ts";
import type { Arrived, Read } from "./call.ts";
import type { Refused } from "./faults.ts";
import { bodyBytesMax, bodyMs, bodyWithFilesBytesMax, bodyWithFilesMs } from "./limits.ts";

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*(?:"utf-8"|utf-8)\s*)?$/i;

/** Rung 1: a POST of JSON, whose body is read whole only within the limit and the deadline. */
export async function checkHttp({ arrival, deps }: Arrived): Promise<Read | Refused> {
  if (arrival.method !== "POST") return refuse("method-not-allowed", "Send a POST.");
  if (!jsonType.test(arrival.header("content-type") ?? "")) {
    return refuse("unsupported-media-type", "Send application/json; its only charset is utf-8.");
  }
  if ((arrival.header("content-encoding") ?? "identity").toLowerCase() !== "identity") {
    return refuse("unsupported-media-type", "Send the body without a content encoding.");
  }
  const long = longBody({ arrival, deps });
  const announced = Number(arrival.header("content-length") ?? 0);
  if (announced > bodyWithFilesBytesMax) return tell("too-large");
  const refused = announced > bodyBytesMax ? await long.mayBe() : undefined;
  const body = refused ?? (await arrival.readBody(long.mayBe));
  if (typeof body !== "string") return { bytes: body, endLong: long.end };
  long.end();
  return tell(body);
}

/**
 * Room for one body over the plain limit: it is read on only under a live key,
 * so that nobody unknown fills the memory, and only a few at a time. Which
 * channel it is and what it may do is asked on its own rung all the same.
 */
function longBody({ arrival, deps }: Arrived) {
  let leave: (() => void) | undefined;
  let asked: Promise<"too-large" | "busy" | undefined> | undefined;
  let isOver = false;
  const ask = async () => {
    const bearer = bearerOf(arrival.header("authorization"));
    if (bearer === undefined || !(await authenticateChannel(deps.store, bearer, arrival))) return "too-large";
    if (!isOver) leave = deps.load.enterLong();
    return leave ? undefined : "busy";
  };
  return {
    mayBe: () => (asked ??= ask()),
    end: () => {
      isOver = true;
      leave?.();
      leave = undefined;
    },
  };
}

function tell(body: "too-large" | "too-slow" | "cut-short" | "busy"): Refused {
  switch (body) {
    case "too-large":
      return refuse(
        "body-too-large",
        `Send at most ${bodyBytesMax} bytes, or ${bodyWithFilesBytesMax} with files under a live key.`,
      );
    case "too-slow":
      return refuse(
        "body-too-slow",
        `Send the whole body within ${bodyMs / 1000} s, or ${bodyWithFilesMs / 1000} s where it is over ${bodyBytesMax} bytes.`,
      );
    case "cut-short":
      return refuse("not-http", "The body ended before it was whole.");
    case "busy":
      return { fault: "busy", retryAfterS: 2 };
  }
}

function refuse(fault: Refused["fault"], problem: string): Refused {
  return { fault, data: { problem } };
}
