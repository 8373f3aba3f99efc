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
};

/** A bucket behind an S3 interface. Nothing in it is ever replaced or deleted by us: an object is named by its content. */
export type ObjectStore = {
  /** What people call it: the host and the bucket. */
  readonly name: string;
  /** Keeps these bytes under this name; the store compares them with their SHA-256 where it knows how to. */
  readonly put: (name: string, bytes: Uint8Array) => Promise<void>;
  /** The bytes under this name; undefined where the store has none. */
  readonly get: (name: string) => Promise<Uint8Array | undefined>;
  /** Whether the bucket is there and open to us. */
  readonly isOpen: () => Promise<boolean>;
};

/** The archive gave no answer, or none that can be used now. What was asked may be asked again later. */
export class ArchiveAwayError extends Error {
  override readonly name = "ArchiveAwayError";
  /** What a page's error boundary is told. */
  readonly digest = archiveAwayDigest;
  constructor(reason: string) {
    super(`The archive is not at hand: ${reason}.`);
  }
}

/** Longest that one exchange may take; a person or an agent waits for it. */
const answerMs = 5_000;

/** Opens nothing yet: each call is an exchange of its own, over connections that `fetch` keeps. */
export function createObjectStore({ endpoint, bucket, prefix, ...keys }: ObjectStoreSettings): ObjectStore {
  const base = endpoint.replace(/\/+$/, "");
  const s3 = new S3mini({
    ...keys,
    endpoint: `${base}/${bucket}`,
    requestAbortTimeout: answerMs,
    // A redirect would take what is signed to an address that nobody set.
    fetch: (input, init) => fetch(input, { ...init, redirect: "error" }),
  });
  return {
    name: `${new URL(base).host}/${bucket}`,
    put: (name, bytes) =>
      counted("put", async () => {
        const digest = createHash("sha256").update(bytes).digest("base64");
        // Safe because a Uint8Array over its own buffer is a body, which the type only says of narrower ones.
        const body = bytes as Uint8Array<ArrayBuffer>;
        const type = "application/octet-stream";
        await s3.putObject(`${prefix}${name}`, body, type, undefined, { "x-amz-checksum-sha256": digest });
      }),
    get: (name) =>
      counted("get", async () => {
        const bytes = await s3.getObjectArrayBuffer(`${prefix}${name}`);
        return bytes === null ? undefined : new Uint8Array(bytes);
      }),
    isOpen: () => counted("look", () => s3.bucketExists()),
  };
}

/** Counts what became of an exchange. Of a failure only its code goes on: a store's words may name our key. */
async function counted<Value>(act: "put" | "get" | "look", exchange: () => Promise<Value>): Promise<Value> {
  try {
    const value = await exchange();
    instruments().archiveExchanges.inc({ act, outcome: value === undefined && act === "get" ? "missing" : "done" });
    return value;
  } catch (error) {
    instruments().archiveExchanges.inc({ act, outcome: "away" });
    throw new ArchiveAwayError(reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  for (let [at, depth] = [error, 0]; at instanceof Error && depth < 4; [at, depth] = [at.cause, depth + 1]) {
    if ("status" in at && typeof at.status === "number") return `it answered HTTP ${at.status}`;
    if (at.name === "TimeoutError") return `it gave no answer within ${answerMs / 1_000} s`;
    if ("code" in at && typeof at.code === "string" && /^[A-Z0-9_]{3,40}$/.test(at.code)) return at.code;
  }
  return "the exchange failed";
}
