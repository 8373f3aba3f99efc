import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
} from "node:crypto";

/** Where a sealed value lives. A value moved to another row, column or practice no longer opens. */
export type Place = {
  readonly table: string;
  readonly column: string;
  readonly row: string;
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
};

const version = 1;
const ivBytes = 12;
const tagBytes = 16;

/** AES-256-GCM (NIST SP 800-38D) under one 32-byte key; version, random 96-bit IV, ciphertext and tag in one value. */
export function createSealer(key: Uint8Array): Sealer {
  if (key.length !== 32) throw new Error("The sealing key must be 32 bytes.");
  const secret = createSecretKey(key);
  const memberKey = keyFor(key, "prior-authorization member hash");
  const nextIv = createIvs();
  return {
    seal: (plain, place) => {
      const iv = nextIv();
      const cipher = createCipheriv("aes-256-gcm", secret, iv).setAAD(associatedData(place));
      const sealed = [Buffer.of(version), iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(sealed);
    },
    open: (sealed, place) => {
      if (sealed[0] !== version) throw new Error("A sealed value has an unknown version.");
      const iv = sealed.subarray(1, 1 + ivBytes);
      const decipher = createDecipheriv("aes-256-gcm", secret, iv).setAAD(associatedData(place));
      decipher.setAuthTag(sealed.subarray(-tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(1 + ivBytes, -tagBytes)), decipher.final()]);
    },
    memberHash: (memberId, practiceId) => {
      const normalised = memberId.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
      return new Uint8Array(createHmac("sha256", memberKey).update(`${practiceId}\n${normalised}`).digest());
    },
  };
}

/** A key of its own for each use, HKDF-SHA-256 (RFC 5869) from the one that seals. */
function keyFor(key: Uint8Array, use: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync("sha256", key, "", use, 32)));
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

/** A line break cannot occur in any part, so two places never share their associated data. */
function associatedData({ table, column, row, practiceId }: Place): Buffer {
  return Buffer.from([table, column, row, practiceId].join("\n"));
}

export function sealText(sealer: Sealer, text: string, place: Place): Uint8Array<ArrayBuffer> {
  return sealer.seal(Buffer.from(text), place);
}

export function openText(sealer: Sealer, sealed: Uint8Array, place: Place): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(sealer.open(sealed, place));
}
