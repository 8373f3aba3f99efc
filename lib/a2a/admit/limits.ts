import { bodyBytesMax } from "#lib/platform/http/arrival";
import { filesBytesMax } from "#lib/task/model/attachment";

/** Longest body of a call with files and a valid key, in bytes: the files in base64, and the plain limit for the rest. */
export const bodyWithFilesBytesMax = bodyBytesMax + Math.ceil(filesBytesMax / 3) * 4;

/**
 * How long the rest of a long body may take to arrive, from when its channel is admitted. With the wait before it, this
 * is below the server's own limit for a request, so that the caller gets our answer and not a closed connection.
 */
export const bodyWithFilesMs = 25_000;

/**
 * How many bodies over the plain limit are handled at once, of all channels (`most`) and of each (`each`). While a body is
 * read it takes as much memory as has arrived, and a slow sender keeps its place long. While it is parsed and stored it
 * takes about a hundred megabytes and much processor time. A body that waits longer than `waitMs` is answered 503.
 */
export const longBodies = {
  reading: { most: 12, each: 4, waitingEach: 32, waitMs: 15_000 },
  answering: { most: 2, each: 1, waitingEach: 4, waitMs: 15_000 },
  /**
   * How many bytes of long bodies of one channel are answered at once, and how many a second after that. To read and store
   * them keeps a processor and the database busy for as long as they come; at this pace a channel that sends without end
   * leaves most of both to others.
   */
  pace: { burstBytes: 96 * 1024 * 1024, bytesPerSecond: 4 * 1024 * 1024, waitMs: 15_000 },
  /** Short messages that open many stored bytes of their task. */
  amending: { most: 2, each: 1, waitingEach: 64, waitMs: 15_000 },
} as const;

/** Longest name of a file as it is sent, in UTF-16 code units. */
export const fileNameCharsMax = 255;

/** Longest media type a file is declared as, in UTF-16 code units. */
export const mimeTypeCharsMax = 255;

/** Deepest nesting of a request; the request object is level 1. */
export const nestingLevelsMax = 32;

/** Most issues that one reply lists; the rest are reported once these are corrected. */
export const issuesMax = 32;

/** Most parts one message may hold. */
export const partsMax = 100;

/** Longest note to the reviewer, in UTF-16 code units. */
export const noteCharsMax = 20_000;

/** Longest `messageId`, in UTF-16 code units. */
export const messageIdCharsMax = 256;

/** Longest reason for a void, in UTF-16 code units. */
export const reasonCharsMax = 2_000;

/** Most calls in flight; further ones are answered 503. */
export const callsInFlightMax = 512;

/** Longest that a `tasks/get` may wait for a change, in seconds. Many proxies end a request that is silent for longer. */
export const waitSecondsMax = 60;

/** Longest that a `message/send` with `blocking` is held back. */
export const blockingMsMax = 30_000;

/**
 * How many answers are held back at once: of this process, and of each channel. They hold a connection each and nothing
 * else. When many end at once, so many are read again at a time, of all and of each channel.
 */
export const waits = {
  most: 20_000,
  each: 2_000,
  reading: { most: 64, each: 32, waitingEach: 20_000, waitMs: 15_000 },
} as const;
