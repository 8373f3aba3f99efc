import { filesBytesMax } from "#lib/task/model/attachment";

/** Longest body of one call, in bytes. */
export const bodyBytesMax = 1_048_576;

/** Longest body of a call that brings files and comes under a live key: what the files are in base64, and the rest. */
export const bodyWithFilesBytesMax = bodyBytesMax + Math.ceil(filesBytesMax / 3) * 4;

/** How long a body may take to arrive whole, from the first look at it. */
export const bodyMs = 10_000;

/** The same for a body that brings files, from when it is read on. With its wait below the server's own limit for a request, so that it is we who answer. */
export const bodyWithFilesMs = 25_000;

/**
 * Bodies over the plain limit, of all channels and of each. While they are read they fill memory as far as they are
 * here, and a slow line holds its place long; while they are understood and stored each takes some hundred megabytes
 * and much of a processor. What is turned away after its wait is told 503.
 */
export const longBodies = {
  reading: { most: 12, each: 4, waitingEach: 32, waitMs: 15_000 },
  answering: { most: 2, each: 1, waitingEach: 4, waitMs: 15_000 },
} as const;

/** Longest name of a file as it is sent, in UTF-16 code units. */
export const fileNameCharsMax = 255;

/** Longest media type a file is declared as, in UTF-16 code units. */
export const mimeTypeCharsMax = 255;

/** Deepest nesting of a request; its own object is level 1. */
export const nestingLevelsMax = 32;

/** Most issues one reply lists; what follows them is found once they are corrected. */
export const issuesMax = 32;

/** Most parts one message may hold. */
export const partsMax = 100;

/** Longest note to the reviewer, in UTF-16 code units. */
export const noteCharsMax = 20_000;

/** Longest `messageId`, in UTF-16 code units. */
export const messageIdCharsMax = 256;

/** Longest reason for a void, in UTF-16 code units. */
export const reasonCharsMax = 2_000;

/** Calls answered at once before others are turned away. */
export const callsInFlightMax = 512;
