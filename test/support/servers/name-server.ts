import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { onTestFinished } from "vitest";

/** The addresses of each name; no answer at all for `silent` ones, and a denial for every other. */
export type Zone = {
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
  readonly silent?: (name: string, type: 1 | 28) => boolean;
};

/** A name server (RFC 1035) on a UDP port of its own, and the names that it was asked for. */
export async function aNameServer({ addresses = {}, silent = () => false }: Zone) {
  const socket = createSocket("udp4");
  const queries: string[] = [];
  socket.on("message", (question, from) => {
    const { name, type, end } = readQuestion(question);
    queries.push(name);
    if (silent(name, type)) return;
    const known = addresses[name];
    const records = (known ?? []).filter((address) => address.includes(":") === (type === 28)).map(recordOf);
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2);
    head.fill(0, 4);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    reply(Buffer.concat([head, question.subarray(12, end), ...records]), from);
  });
  const reply = (bytes: Buffer, { port, address }: RemoteInfo) => socket.send(bytes, port, address);
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return { servers: [`127.0.0.1:${socket.address().port}`], queries };
}

function readQuestion(question: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let size = question[at] ?? 0; size > 0; size = question[at] ?? 0) {
    labels.push(question.toString("latin1", at + 1, at + 1 + size));
    at += 1 + size;
  }
  // Safe because the resolver asks for addresses alone: A is 1, AAAA is 28.
  const type = question.readUInt16BE(at + 1) as 1 | 28;
  return { name: labels.join(".").toLowerCase(), type, end: at + 5 };
}

/** An address record of the name that was asked for, which a pointer to it stands for. */
function recordOf(address: string): Buffer {
  const bytes = address.includes(":") ? wholeIpv6(address) : Buffer.from(address.split(".").map(Number));
  const head = Buffer.from([0xc0, 12, 0, address.includes(":") ? 28 : 1, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
  return Buffer.concat([head, bytes]);
}

function wholeIpv6(address: string): Buffer {
  const [front = "", back = ""] = address.split("::");
  const groups = (text: string) => text.split(":").filter(Boolean);
  const zeros = Array<string>(8 - groups(front).length - groups(back).length).fill("0");
  return Buffer.from(
    [...groups(front), ...zeros, ...groups(back)].map((group) => group.padStart(4, "0")).join(""),
    "hex",
  );
}
