import { createHash } from "node:crypto";
import { S3mini } from "s3mini";
import { archiveAwayDigest } from "#lib/platform/outbound/archive-away";
import { instruments } from "#lib/platform/metrics/instruments";

/** Where archived values are kept, and who we are there. */
export type ObjectStoreSettings = {
  /** The address of the S3 interface, without the bucket. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** What every object's name begins with. */
  readonly prefix: string;
  /** Longest that one exchange may take; given by tests only. */
  readonly answerMs?: number | undefined;
};

/** A bucket behind an S3 interface. Nothing in it is ever replaced or deleted by us: an object is named by its content. */
export type ObjectStore = {
  /** What people call it: the host and the bucket. */
  readonly name: string;
  /** Keeps these bytes under this name; the store compares them with their SHA-256 where it knows how to. */
  readonly put: (name: string, bytes: Uint8Array) => Promise<void>;
  /** The bytes under this name, at most one more than `bytesMax` of them; undefined where the store has none. */
  readonly get: (name: string, bytesMax: number) => Promise<Uint8Array | undefined>;
  /** Why nothing can be read of it now; undefined where the bucket is there and open to us. */
  readonly trouble: () => Promise<string | undefined>;
  /** Puts a few bytes of no practice, whatever went before, and compares what it gets back; fails where nothing can be kept. */
  readonly prove: () => Promise<void>;
};

/** The archive gave no answer, or none that can be used now. What was asked may be asked again later. */
export class ArchiveAwayError extends Error {
  override readonly name = "ArchiveAwayError";
  /** What a page's error boundary is told. */
  readonly digest = archiveAwayDigest;
  /** In words that hold no key, no name of an object and nothing of what it keeps. */
  readonly reason: string;
  constructor(reason: string) {
    super(`The archive is not at hand: ${reason}.`);
    this.reason = reason;
  }
}

/** Longest that one exchange may take; a person or an agent waits for it. */
const longestMs = 5_000;

/** For how long after an exchange without an answer nobody waits for another: all are told at once that it is away. */
const silentMs = 5_000;

/** Opens nothing yet: each call is an exchange of its own, over connections that `fetch` keeps. */
export function createObjectStore({
  endpoint,
  bucket,
  prefix,
  answerMs = longestMs,
  ...keys
}: ObjectStoreSettings): ObjectStore {
  const base = endpoint.replace(/\/+$/, "");
  const s3 = new S3mini({
    ...keys,
    endpoint: `${base}/${bucket}`,
    requestAbortTimeout: answerMs,
    // A redirect would take what is signed to an address that nobody set.
    fetch: async (input, init) => withKnownAbsence(await fetch(input, { ...init, redirect: "error" })),
  });
  let silentUntil = 0;
  const exchange = async <Value>(act: "put" | "get", ask: () => Promise<Value>): Promise<Value> => {
    if (performance.now() < silentUntil) throw new ArchiveAwayError("it gave no answer a moment ago");
    return counted(act, ask, () => (silentUntil = performance.now() + silentMs));
  };
  const put = async (name: string, bytes: Uint8Array) => {
    const digest = createHash("sha256").update(bytes).digest("base64");
    // Safe because a Uint8Array over its own buffer is a body, which the type only says of narrower ones.
    const body = bytes as Uint8Array<ArrayBuffer>;
    const type = "application/octet-stream";
    await s3.putObject(`${prefix}${name}`, body, type, undefined, { "x-amz-checksum-sha256": digest });
  };
  const get = async (name: string, bytesMax: number) => {
    const answer = await s3.getObjectResponse(`${prefix}${name}`);
    return answer === null ? undefined : beginningOf(answer, bytesMax + 1);
  };
  return {
    name: `${new URL(base).host}/${bucket}`,
    put: (name, bytes) => exchange("put", () => put(name, bytes)),
    get: (name, bytesMax) => exchange("get", () => get(name, bytesMax)),
    trouble: () => counted("look", () => get(probe.name, probe.bytes.length)).then(() => undefined, reasonOf),
    prove: async () => {
      await counted("look", async () => {
        await put(probe.name, probe.bytes);
        const kept = await get(probe.name, probe.bytes.length);
        if (!kept || Buffer.compare(kept, probe.bytes) !== 0) throw new ArchiveAwayError(notGivenBack);
      });
      silentUntil = 0;
    },
  };
}

/** What tells an archive that keeps nothing from one that refuses a single object. Always the same, so there is one of it. */
const probe = {
  name: `probe/${createHash("sha256").update("probe").digest("hex")}`,
  bytes: Buffer.from("probe"),
};

/** Why an archive is not at hand that took an object and has another one, or none. */
export const notGivenBack = "it did not give back what it was given";

/** A store's error is a few hundred bytes. */
const errorBytesMax = 16_384;

/**
 * The same answer, if it is one or says that the object is missing. A 404 that does not say so loses no object: the whole
 * bucket is missing, or something else than a store answers.
 */
async function withKnownAbsence(answer: Response): Promise<Response> {
  if (answer.ok) return answer;
  const text = Buffer.from(await beginningOf(answer, errorBytesMax)).toString();
  const [, code = ""] = /<Code>\s*(\w{1,40})\s*<\/Code>/.exec(text) ?? [];
  if (answer.status === 404 && code === "NoSuchKey") return new Response(null, answer);
  const refusal = `it answered HTTP ${answer.status}${tellingCodes.includes(code) ? ` (${code})` : ""}`;
  throw new ArchiveAwayError(code === "NoSuchBucket" ? noBucket : refusal);
}

/** A wrong setting, or a bucket that somebody deleted. */
const noBucket = "it has no bucket of the name in ARCHIVE_BUCKET";

/** What stores answer where a setting, a clock or a limit is what is wrong; any other word of theirs may be a key. */
const tellingCodes = [
  "AccessDenied",
  "AuthorizationHeaderMalformed",
  "InvalidAccessKeyId",
  "PermanentRedirect",
  "QuotaExceeded",
  "RequestTimeTooSkewed",
  "SignatureDoesNotMatch",
  "SlowDown",
];

/** At most so many bytes of an answer, so that a store that gives another object than ours cannot fill the memory. */
async function beginningOf({ body }: Response, bytesMax: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let missing = bytesMax;
  for await (const part of body ?? []) {
    parts.push(part.subarray(0, missing));
    missing -= part.length;
    if (missing <= 0) break;
  }
  return Buffer.concat(parts);
}

/** Counts what became of an exchange. Of a failure only its code goes on: a store's words may name our key. */
async function counted<Value>(
  act: "put" | "get" | "look",
  exchange: () => Promise<Value>,
  onSilent?: () => void,
): Promise<Value> {
  try {
    const value = await exchange();
    instruments().archiveExchanges.inc({ act, outcome: value === undefined && act === "get" ? "missing" : "done" });
    return value;
  } catch (error) {
    instruments().archiveExchanges.inc({ act, outcome: "away" });
    const reason = reasonOf(error);
    if (reason === noAnswer) onSilent?.();
    throw new ArchiveAwayError(reason);
  }
}

const noAnswer = "it gave no answer in time";

function reasonOf(error: unknown): string {
  if (error instanceof ArchiveAwayError) return error.reason;
  for (let [at, depth] = [error, 0]; at instanceof Error && depth < 4; [at, depth] = [at.cause, depth + 1]) {
    if ("status" in at && typeof at.status === "number") return `it answered HTTP ${at.status}`;
    if (at.name === "TimeoutError") return noAnswer;
    if ("code" in at && typeof at.code === "string" && /^[A-Z0-9_]{3,40}$/.test(at.code)) return at.code;
  }
  return "the exchange failed";
}
