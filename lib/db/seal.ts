import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomFillSync } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Where a sealed value lives. A value moved to another row, column or practice no longer opens. */
export type Place = {
  readonly table: string;
  readonly column: string;
  readonly row: string;
  /** Its key seals; a name with a colon is no practice's, and the service's own key does. */
  readonly practiceId: string;
};

/** Seals what may hold patients' data before it reaches the database. */
export type Sealer = {
  readonly seal: (plain: Uint8Array, place: Place) => Uint8Array<ArrayBuffer>;
  /** Throws when the value was changed, moved, or sealed under another key. */
  readonly open: (sealed: Uint8Array, place: Place) => Uint8Array<ArrayBuffer>;
  /**
   * A 32-byte keyed hash by which equal members of one practice are found. It says nothing without the key, and the
   * hash of one practice equals none of another's. Letters' case, spaces and hyphens make no difference.
   */
  readonly memberHash: (memberId: string, practiceId: string) => Uint8Array<ArrayBuffer>;
  /** The same for anything else that cases are found by, as it stands; 16 bytes. No text gives a member's hash. */
  readonly searchToken: (text: string, practiceId: string) => Uint8Array<ArrayBuffer>;
};

/** The practices' keys, in memory. Each throws where it has none. */
export type DataKeys = {
  /** What seals for a practice now. */
  readonly sealing: (practiceId: string) => { readonly version: number; readonly secret: KeyObject };
  readonly opening: (practiceId: string, version: number) => KeyObject;
  /** Stays the same for a practice's life, so that equal members stay equal. */
  readonly finding: (practiceId: string) => KeyObject;
  /** What sealed before practices had keys: the ring's own keys. */
  readonly earlier: readonly KeyObject[];
};

/**
 * The first byte of a value: 1, sealed under a key of the ring; 2, under a practice's key, whose version follows; 3, the
 * same, and compressed before (Zstandard, RFC 8878).
 */
const earlierFormat = 1;
const format = 2;
const compressedFormat = 3;
const headBytes = 5;
const ivBytes = 12;
const tagBytes = 16;

/**
 * What is compressed: documents, which are many and shrink to a third. Not what is shorter, which hardly shrinks; nor what
 * is longer, which is mostly files. Not messages, whose stored length decides how many a reply may hold.
 */
const compressedTables = new Set(["gate", "revision", "determination", "payer_event", "unmatched_push"]);
const compressedBytes = { min: 512, max: 65_536 };
const isCompressed = ({ length }: Uint8Array, { table }: Place) =>
  compressedTables.has(table) && length >= compressedBytes.min && length <= compressedBytes.max;

/** What Node makes room for at once by default, which most documents would leave to the garbage but for a part. */
const roomMax = 16_384;
const roomFor = ({ length }: Uint8Array) => Math.min(length, roomMax);

/** AES-256-GCM (NIST SP 800-38D); format, the key's version, random 96-bit IV, ciphertext and tag in one value. */
export function createSealer(keys: DataKeys): Sealer {
  const nextIv = createIvs();
  return {
    seal: (plain, place) => {
      const { version, secret } = keys.sealing(place.practiceId);
      const packed = isCompressed(plain, place) ? zstdCompressSync(plain, { chunkSize: roomFor(plain) }) : plain;
      const [head, iv] = [headOf(version, packed === plain ? format : compressedFormat), nextIv()];
      const cipher = createCipheriv("aes-256-gcm", secret, iv).setAAD(Buffer.concat([head, associatedData(place)]));
      return Buffer.concat([head, iv, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
    },
    open: (sealed, place) => {
      if (sealed[0] === earlierFormat) return openEarlier(keys.earlier, sealed, place);
      if (sealed[0] !== format && sealed[0] !== compressedFormat)
        throw new Error("A sealed value has an unknown version.");
      const head = Buffer.from(sealed.subarray(0, headBytes));
      const key = keys.opening(place.practiceId, head.readUInt32BE(1));
      const packed = decrypt(key, sealed.subarray(headBytes), Buffer.concat([head, associatedData(place)]));
      return sealed[0] === format ? packed : zstdDecompressSync(packed, { maxOutputLength: compressedBytes.max });
    },
    memberHash: (memberId, practiceId) => {
      const normalised = memberId.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
      const hash = createHmac("sha256", keys.finding(practiceId)).update(`${practiceId}\n${normalised}`);
      return new Uint8Array(hash.digest());
    },
    searchToken: (text, practiceId) => {
      const hash = createHmac("sha256", keys.finding(practiceId)).update(`search\n${practiceId}\n${text}`);
      return new Uint8Array(hash.digest().subarray(0, 16));
    },
  };
}

/** How every value begins that is sealed under this version of its practice's key, its first byte aside. */
export function headOf(version: number, first: typeof format | typeof compressedFormat = format): Buffer {
  const head = Buffer.alloc(headBytes, first);
  head.writeUInt32BE(version, 1);
  return head;
}

/** It does not name its key, so each is tried; whatever none opens is refused as the last refuses it. */
function openEarlier(keys: readonly KeyObject[], sealed: Uint8Array, place: Place): Buffer<ArrayBuffer> {
  let refused: unknown;
  for (const key of keys) {
    try {
      return decrypt(key, sealed.subarray(1), associatedData(place));
    } catch (error) {
      refused = error;
    }
  }
  throw refused;
}

function decrypt(key: KeyObject, sealed: Uint8Array, associated: Buffer): Buffer<ArrayBuffer> {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, ivBytes)).setAAD(associated);
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  const plain = decipher.update(sealed.subarray(ivBytes, -tagBytes));
  // Gives no bytes in this mode, and throws where the seal is broken.
  decipher.final();
  return plain;
}

/** Random IVs, many from each call to the system; none is given twice. */
function createIvs(): () => Buffer {
  const pool = Buffer.alloc(ivBytes * 256);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    at += ivBytes;
    return Buffer.from(pool.subarray(at - ivBytes, at));
  };
}

/** A column's name when its first values were sealed, where it has been renamed since: a value opens under that name only. */
const sealedAs: Readonly<Record<string, string>> = { information_request: "wants" };

/** A line break cannot occur in any part, so two places never share their associated data. */
function associatedData({ table, column, row, practiceId }: Place): Buffer {
  return Buffer.from([table, sealedAs[column] ?? column, row, practiceId].join("\n"));
}

export function sealText(sealer: Sealer, text: string, place: Place): Uint8Array<ArrayBuffer> {
  return sealer.seal(Buffer.from(text), place);
}

export function openText(sealer: Sealer, sealed: Uint8Array, place: Place): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(sealer.open(sealed, place));
}
