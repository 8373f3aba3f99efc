import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import type { AttachmentType, ReceivedFile } from "#lib/task/model/attachment";

/** A file as the edge reads it from a message. */
export function aReceivedFile(bytes: Uint8Array, contentType: AttachmentType, name?: string): ReceivedFile {
  return { sha256: createHash("sha256").update(bytes).digest("hex"), contentType, size: bytes.length, name, bytes };
}

/** A file part as an agent sends it. */
export function aFilePart(bytes: Uint8Array, file: object = {}): object {
  return { kind: "file", file: { bytes: Buffer.from(bytes).toString("base64"), ...file } };
}

/** A whole PDF of one page that says this; letters, digits and spaces. */
export function aPdf(says: string): Uint8Array {
  const content = `BT /F1 24 Tf 72 700 Td (${says}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(`${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, "latin1");
}

/** A whole PNG of one colour. */
export function aPng({ width = 64, height = 48, grey = 96 } = {}): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const lines = Buffer.concat(Array.from({ length: height }, () => Buffer.from([0, ...Array(width).fill(grey)])));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(lines)), chunk("IEND")]);
}

function chunk(type: string, content: Uint8Array = new Uint8Array()): Buffer {
  const named = Buffer.concat([Buffer.from(type), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
