import { setTimeout as pause } from "node:timers/promises";
import { authenticateChannel } from "#lib/channel/authenticate-channel";
import { bearerOf } from "#lib/channel/channel-key";
import type { Leave } from "#lib/platform/http/places";
import { type Body, bodyBytesMax, bodyMs } from "#lib/platform/http/arrival";
import type { CallArrival, CallBody } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import { bodyWithFilesBytesMax, bodyWithFilesMs } from "#lib/a2a/admit/limits";
import { createPlainCounter } from "./plain-bytes.ts";

/** How late a long body is refused that is mostly text, of which a megabyte was read. */
const refusedAfterMs = 1_000;

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*(?:"utf-8"|utf-8)\s*)?$/i;

/** Check 1: a POST of JSON, whose body arrives whole within the limits of size and time. */
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
  if (announced > bodyWithFilesBytesMax) return bodyFault("too-large");
  const refused = announced > bodyBytesMax ? await long.admit() : undefined;
  const body = refused ?? (await arrival.readBody({ bytesMax: bodyBytesMax, longer: long }));
  // Told at once, its sender would come back at once; and meanwhile it keeps its place of its channel's few.
  if (body === "too-plain") await pause(refusedAfterMs);
  const problem = typeof body === "string" ? body : await long.answerNext(body.length);
  if (problem === undefined && typeof body !== "string") return { bytes: body, releaseBody: long.end };
  long.end();
  return bodyFault(problem ?? "busy");
}

/**
 * A body over the plain limit. It is read further only with a valid key, so that a stranger cannot fill the memory, only a
 * few at a time for each channel, and only while everything in it but files is within the plain limit. The credential
 * and the permissions are still checked later, like those of any call.
 */
function longBody({ arrival, deps }: CallArrival) {
  const plainUpTo = createPlainCounter();
  const leaves: Leave[] = [];
  let channelId: string | undefined;
  let admission: Promise<"too-large" | "busy" | undefined> | undefined;
  let isOver = false;
  const keep = (leave: Leave | undefined) => {
    if (leave) leaves.push(leave);
    // The call may have ended while it waited.
    if (isOver) end();
    return leave ? undefined : "busy";
  };
  const admit = async () => {
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
    bytesMax: bodyWithFilesBytesMax,
    ms: bodyWithFilesMs,
    admit: () => (admission ??= admit()),
    isTooMuch: (part: Uint8Array) => plainUpTo(part) > bodyBytesMax,
    /** Waits for a place to parse and store a long body; a short body does not wait. */
    answerNext: async (bytes: number) =>
      channelId === undefined ? undefined : keep(await deps.load.answerLong(channelId, bytes)),
    end,
  };
}

function bodyFault(body: Exclude<Body, Uint8Array>): CallError {
  switch (body) {
    case "too-large":
      return refuse(
        "body-too-large",
        `Send at most ${bodyBytesMax} bytes, or ${bodyWithFilesBytesMax} with files and a valid key.`,
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
