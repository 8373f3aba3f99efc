import { connect } from "node:net";

/** The path every measured server answers at. */
const path = "/api/a2a";

export type Connection = {
  /** One request; the reply's status line, headers and body come in one text. One at a time. */
  readonly exchange: (request: string, onReply: (reply: string) => void) => void;
  readonly close: () => void;
};

/**
 * A kept-alive HTTP/1.1 connection to this machine, written to the socket
 * itself: the generator shares two cores with what it measures, and any HTTP
 * client costs twice as much.
 */
export async function openConnection(
  port: number,
  onFailure: (error: Error) => void,
  localAddress = "127.0.0.1",
): Promise<Connection> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true, localAddress }).setEncoding("latin1");
  let text = "";
  let answered: ((reply: string) => void) | undefined;
  socket.on("data", (chunk: unknown) => {
    text += String(chunk);
    if (!isWhole(text)) return;
    const reply = text;
    text = "";
    answered?.(reply);
  });
  socket.on("error", onFailure);
  socket.on("close", () => onFailure(new Error("the server closed a connection")));
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  return {
    exchange: (request, onReply) => {
      answered = onReply;
      socket.write(request, "latin1");
    },
    close: () => socket.removeAllListeners("close").destroy(),
  };
}

/** The bytes of a POST; `body` is ASCII. */
export function postBytes(port: number, { key, body }: { key: string; body: string }): string {
  return [
    `POST ${path} HTTP/1.1`,
    `host: 127.0.0.1:${port}`,
    "content-type: application/json",
    `authorization: Bearer ${key}`,
    `content-length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
}

/** Every server measured here sends a Content-Length. */
function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error("A reply came without Content-Length.");
  return text.length >= end + 4 + Number(length);
}
