import { authenticateChannel } from "#lib/channel/authenticate-channel";
import { bearerOf } from "#lib/a2a/admit/bearer";
import type { Leave } from "#lib/platform/http/places";
import type { Body } from "#lib/platform/http/arrival";
import type { CallArrival, CallBody } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import { bodyBytesMax, bodyMs, bodyWithFilesBytesMax, bodyWithFilesMs } from "#lib/a2a/admit/limits";
import { createPlainCounter } from "./plain-bytes.ts";

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*(?:"utf-8"|utf-8)\s*)?$/i;

/** Rung 1: a POST of JSON, whose body is read whole only within the limit and the deadline. */
export async function checkHttp({ arrival, deps }: CallArrival): Promise<CallBody | CallError> {
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
  const body = refused ?? (await arrival.readBody({ bytesMax: bodyBytesMax, longer: long }));
  const problem = typeof body === "string" ? body : await long.answerNext();
  if (problem === undefined && typeof body !== "string") return { bytes: body, endLong: long.end };
  long.end();
  return tell(problem ?? "busy");
}

/**
 * A body over the plain limit: it is read on only under a live key, so that nobody unknown fills the memory, a few at a
 * time of each channel, and only while what it has beside files is within the plain limit. Which channel it is and what
 * it may do is asked on its own rung all the same.
 */
function longBody({ arrival, deps }: CallArrival) {
  const plainUpTo = createPlainCounter();
  const leaves: Leave[] = [];
  let channelId: string | undefined;
  let asked: Promise<"too-large" | "busy" | undefined> | undefined;
  let isOver = false;
  const keep = (leave: Leave | undefined) => {
    if (leave) leaves.push(leave);
    // It may have ended while it waited.
    if (isOver) end();
    return leave ? undefined : "busy";
  };
  const ask = async () => {
    const bearer = bearerOf(arrival.header("authorization"));
    const admitted = bearer === undefined ? undefined : await authenticateChannel(deps.store, bearer, arrival);
    if (!admitted) return "too-large";
    channelId = admitted.actor.id;
    return keep(await deps.load.readLong(channelId));
  };
  const end = () => {
    isOver = true;
    for (const leave of leaves.splice(0)) leave();
  };
  return {
    mayBe: () => (asked ??= ask()),
    isTooMuch: (part: Uint8Array) => plainUpTo(part) > bodyBytesMax,
    /** Waits until a long body may be understood and stored; at once where this one is not long. */
    answerNext: async () => (channelId === undefined ? undefined : keep(await deps.load.answerLong(channelId))),
    end,
  };
}

function tell(body: Exclude<Body, Uint8Array>): CallError {
  switch (body) {
    case "too-large":
      return refuse(
        "body-too-large",
        `Send at most ${bodyBytesMax} bytes, or ${bodyWithFilesBytesMax} with files under a live key.`,
      );
    case "too-plain":
      return refuse(
        "body-too-large",
        `Send at most ${bodyBytesMax} bytes beside what params.message.parts[].file.bytes hold: only files make a call longer.`,
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

function refuse(fault: CallError["fault"], problem: string): CallError {
  return { fault, data: { problem } };
}
