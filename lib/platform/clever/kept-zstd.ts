import type { Transform } from "node:stream";
import { constants, createZstdCompress, createZstdDecompress, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Zstandard (RFC 8878) with one dictionary, for values of at most so many bytes before they are compressed. */
export type KeptZstd = {
  /** The value as one frame, which `zstdDecompressSync` opens too. */
  readonly compress: (plain: Uint8Array) => Buffer<ArrayBuffer>;
  /** What such a frame was made of. Throws what `zstdDecompressSync` throws if it is none. */
  readonly decompress: (frame: Uint8Array) => Buffer<ArrayBuffer>;
};

/** What one step of a stream's handle takes: how it ends, then bytes, place and length of what comes in and of the room. */
type WriteSync = (
  flush: number,
  from: Uint8Array,
  fromAt: number,
  fromLength: number,
  room: Uint8Array,
  roomAt: number,
  roomLength: number,
) => void;

/** The parts of Node's streams of `node:zlib` that its types do not have, as they are in Node 24. */
type Inside = {
  readonly _handle?: { readonly writeSync?: WriteSync } | null;
  /** Filled by each step: bytes left in the room, and bytes of the input that were not taken. */
  readonly _writeState?: Uint32Array;
};

/** One step of a context that goes on to the next value; undefined if Node has no such part, or the value was not taken whole. */
type Step = (from: Uint8Array) => Buffer<ArrayBuffer> | undefined;

/** More than a value that does not shrink grows by. */
const marginBytes = 1_024;

/**
 * Keeps a context with the dictionary read into it. Node's own functions make one for each value: for 1 to 5 kB that takes 45
 * to 55 µs to compress and 20 to decompress, of which all but 5 to 14 and 3 to 6 are the context's beginning. Node has no
 * public way to keep one and be answered at once, so whatever is not as expected goes to its own functions instead.
 */
export function keepZstd(dictionary: Uint8Array, bytesMax: number): KeptZstd {
  // The format of a value says which dictionary it is, so the frame needs no number of it.
  const params = { [constants.ZSTD_c_dictIDFlag]: 0 };
  const room = Buffer.allocUnsafeSlow(bytesMax + marginBytes);
  const compressing = keepStep(() => stepOf(createZstdCompress({ params, dictionary }), constants.ZSTD_e_end, room));
  // One byte more than the longest value, since a step that fills its room may have more to say.
  const openingRoom = room.subarray(0, bytesMax + 1);
  // Told that nothing follows, as Node's own function is, a step fails where a frame has no end.
  const opening = keepStep(() => stepOf(createZstdDecompress({ dictionary }), constants.ZSTD_e_end, openingRoom));
  // A step of no bytes is none, so it fails at nothing.
  const opened = (frame: Uint8Array) => (frame.length > 0 ? opening(frame) : undefined);
  return {
    compress: (plain) => compressing(plain) ?? zstdCompressSync(plain, { params, dictionary }),
    decompress: (frame) => opened(frame) ?? zstdDecompressSync(frame, { maxOutputLength: bytesMax, dictionary }),
  };
}

/** The context of a value that failed may be in the middle of it, so the next value begins another. */
function keepStep(begin: () => Step): Step {
  let step: Step | undefined;
  return (from) => {
    step ??= begin();
    const made = step(from);
    if (made === undefined) step = undefined;
    return made;
  };
}

function stepOf(stream: Transform, flush: number, room: Buffer): Step {
  // Node's own function is asked next, and throws what is to be thrown.
  stream.on("error", () => {});
  // Safe, because each part is looked for before it is used.
  const { _handle: handle, _writeState: left } = stream as Inside;
  return (from) => {
    if (typeof handle?.writeSync !== "function" || left === undefined) return undefined;
    // A step that fails leaves it as it was.
    left.fill(0);
    handle.writeSync(flush, from, 0, from.length, room, 0, room.length);
    const [roomLeft = 0, inputLeft = 0] = left;
    return inputLeft === 0 && roomLeft > 0 ? Buffer.from(room.subarray(0, room.length - roomLeft)) : undefined;
  };
}
