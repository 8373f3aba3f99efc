import { createCipheriv, createDecipheriv, createHmac, type KeyObject, randomFillSync } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { keepZstd } from "#lib/platform/clever/kept-zstd";
import { sealDictionary } from "./seal-dictionary.ts";

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
 * same, and compressed before (Zstandard, RFC 8878); 4, compressed with the dictionary.
 */
const earlierFormat = 1;
const format = 2;
const documentFormat = 3;
export const dictionaryFormat = 4;
const headBytes = 5;
const ivBytes = 12;
const tagBytes = 16;

/** The formats of values under a practice's key, as SQL lists them. */
export const currentFormats = [format, documentFormat, dictionaryFormat].join(", ");

/** How documents are compressed: with the dictionary; or so that programs before November 26, 2026 open them too, which know none. */
export type Compression = "dictionary" | "documents";

const documentTables = ["gate", "revision", "determination", "payer_event", "unmatched_push"] as const;

/**
 * What is compressed: documents, which are many and shrink to a third, or with the dictionary to an eighth; with it events
 * too. Not what is shorter, which saves little; nor what is longer, which is mostly files.
 */
const compressed = {
  documents: { tables: new Set<string>(documentTables), bytesMin: 512 },
  dictionary: { tables: new Set<string>([...documentTables, "message", "task_event"]), bytesMin: 96 },
} as const satisfies Record<Compression, { readonly tables: ReadonlySet<string>; readonly bytesMin: number }>;
const compressedBytesMax = 65_536;

const withDictionary = keepZstd(sealDictionary, compressedBytesMax);

type PackedBytes = { readonly first: number; readonly bytes: Uint8Array };

function packed(plain: Uint8Array, { table }: Place, compression: Compression): PackedBytes {
  const { length } = plain;
  const { tables, bytesMin } = compressed[compression];
  const isPlain = length < bytesMin || length > compressedBytesMax || !tables.has(table);
  if (isPlain) return { first: format, bytes: plain };
  if (compression === "documents") return { first: documentFormat, bytes: zstdCompressSync(plain) };
  const bytes = withDictionary.compress(plain);
  return bytes.length < length ? { first: dictionaryFormat, bytes } : { first: format, bytes: plain };
}

function decompressed(first: number, bytes: Uint8Array): Buffer<ArrayBuffer> {
  if (first === dictionaryFormat) return withDictionary.decompress(bytes);
  return zstdDecompressSync(bytes, { maxOutputLength: compressedBytesMax });
}

/** Before 24.6, Node passes a dictionary over in silence. */
function refuseEarlierNode(): void {
  const sample = sealDictionary.subarray(-512);
  const { length } = zstdCompressSync(sample, { dictionary: sealDictionary });
  if (length > sample.length / 4) throw new Error("Node 24.6 or later is needed to compress with a dictionary.");
}

/** AES-256-GCM (NIST SP 800-38D); format, the key's version, random 96-bit IV, ciphertext and tag in one value. */
export function createSealer(keys: DataKeys, compression: () => Compression = () => "dictionary"): Sealer {
  refuseEarlierNode();
  const nextIv = createIvs();
  return {
    seal: (plain, place) => {
      const { version, secret } = keys.sealing(place.practiceId);
      const { first, bytes } = packed(plain, place, compression());
      const [head, iv] = [headOf(version, first), nextIv()];
      const cipher = createCipheriv("aes-256-gcm", secret, iv).setAAD(Buffer.concat([head, associatedData(place)]));
      return Buffer.concat([head, iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    open: (sealed, place) => {
      if (sealed[0] === earlierFormat) return openEarlier(keys.earlier, sealed, place);
      const [first = 0] = sealed;
      if (first < format || first > dictionaryFormat) throw new Error("A sealed value has an unknown version.");
      const head = Buffer.from(sealed.subarray(0, headBytes));
      const key = keys.opening(place.practiceId, head.readUInt32BE(1));
      const bytes = decrypt(key, sealed.subarray(headBytes), Buffer.concat([head, associatedData(place)]));
      return first === format ? bytes : decompressed(first, bytes);
    },
    memberHash: (memberId, practiceId) => {
      const normalized = memberId.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
      const hash = createHmac("sha256", keys.finding(practiceId)).update(`${practiceId}\n${normalized}`);
      return new Uint8Array(hash.digest());
    },
    searchToken: (text, practiceId) => {
      const hash = createHmac("sha256", keys.finding(practiceId)).update(`search\n${practiceId}\n${text}`);
      return new Uint8Array(hash.digest().subarray(0, 16));
    },
  };
}

/** How every value begins that is sealed under this version of its practice's key, its first byte aside. */
export function headOf(version: number, first: number = format): Buffer {
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
