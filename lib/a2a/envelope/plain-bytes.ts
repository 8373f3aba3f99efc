/** The place of a file's bytes in a call: `params.message.parts[n].file.bytes`. */
const fileBytesAt = "params message parts [] file bytes";

/** Only this much of a name is compared, since no name on the path to a file's bytes is longer. */
const nameBytesMax = 16;

const quote = 0x22;
const backslash = 0x5c;

type Text = { readonly isName: boolean; readonly isFile: boolean; name: string };

type Scan = {
  /** The name of the current member of each open object; `[]` for an array. */
  readonly frames: string[];
  text: Text | undefined;
  isEscaped: boolean;
  expectsName: boolean;
  plain: number;
};

/**
 * Counts the bytes of a JSON call that are not bytes of files, while the body arrives, so that a body that is mostly text
 * is stopped early. It does not validate: invalid JSON is found later. A name that contains an escape never leads to a file.
 */
export function createPlainCounter(): (part: Uint8Array) => number {
  const scan: Scan = { frames: [], text: undefined, isEscaped: false, expectsName: false, plain: 0 };
  return (part) => {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    let nextBackslash = bytes.indexOf(backslash);
    for (let index = 0; index < bytes.length;) {
      if (scan.text === undefined) {
        readToken(scan, bytes[index] ?? 0);
        index += 1;
        continue;
      }
      if (nextBackslash >= 0 && nextBackslash < index) nextBackslash = bytes.indexOf(backslash, index);
      index = readText(scan, scan.text, { bytes, index, nextBackslash });
    }
    return scan.plain;
  };
}

type At = { readonly bytes: Buffer; readonly index: number; readonly nextBackslash: number };

/** Reads to the next escape or the closing quote; returns where it stopped. */
function readText(scan: Scan, text: Text, { bytes, index, nextBackslash }: At): number {
  if (scan.isEscaped) {
    scan.isEscaped = false;
    return take(scan, text, bytes.subarray(index, index + 1)) + index;
  }
  const found = bytes.indexOf(quote, index);
  const end = found < 0 ? bytes.length : found;
  if (nextBackslash >= index && nextBackslash < end) {
    scan.isEscaped = true;
    return take(scan, text, bytes.subarray(index, nextBackslash + 1)) + index;
  }
  take(scan, text, bytes.subarray(index, end));
  if (found < 0) return end;
  if (text.isName) scan.frames[scan.frames.length - 1] = text.name;
  scan.text = undefined;
  scan.plain += 1;
  return end + 1;
}

function take(scan: Scan, text: Text, bytes: Buffer): number {
  if (!text.isFile) scan.plain += bytes.length;
  if (text.isName && text.name.length <= nameBytesMax) text.name += bytes.toString("latin1", 0, nameBytesMax);
  return bytes.length;
}

function readToken(scan: Scan, byte: number): void {
  scan.plain += 1;
  const char = String.fromCharCode(byte);
  if (char === "{" || char === "[") {
    scan.frames.push(char === "[" ? "[]" : "");
    scan.expectsName = char === "{";
  } else if (char === "}" || char === "]") {
    scan.frames.pop();
    scan.expectsName = false;
  } else if (char === ",") {
    scan.expectsName = scan.frames.at(-1) !== "[]";
  } else if (char === '"') {
    const isName = scan.expectsName;
    scan.expectsName = false;
    scan.text = {
      isName,
      isFile: !isName && scan.frames.length === 6 && scan.frames.join(" ") === fileBytesAt,
      name: "",
    };
  }
}
