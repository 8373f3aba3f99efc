import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";

/** A port that leads to another one, and lets what comes back from there arrive later, as a slow network does. */
export type DelayingDoor = {
  readonly delay: (ms: number) => void;
  readonly close: () => Promise<void>;
};

export async function openDoor(port: number, to: number): Promise<DelayingDoor> {
  let delayMs = 0;
  const server: Server = createServer((from) => {
    const there = connect(to, "127.0.0.1");
    from.pipe(there);
    let lastAt = 0;
    there.on("data", (bytes) => {
      // In its order, also when the delay ends.
      lastAt = Math.max(lastAt, performance.now() + delayMs);
      // What is still on its way when the other end is gone never arrives.
      setTimeout(() => void (there.destroyed || from.write(bytes)), Math.max(0, lastAt - performance.now()));
    });
    for (const [socket, other] of [
      [from, there],
      [there, from],
    ] as const)
      socket.on("error", () => undefined).on("close", () => other.destroy());
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    delay: (ms) => {
      delayMs = ms;
    },
    close: async () => {
      server.close();
      await Promise.resolve();
    },
  };
}
