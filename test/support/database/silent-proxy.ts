import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A proxy in front of a database that can fall silent as a broken network does: nothing arrives any more, and no connection ends. */
export type SilentProxy = {
  /** The database's address, through this proxy. */
  readonly url: string;
  /** From now on nothing passes, on connections old and new; all of them stay open. */
  readonly fallSilent: () => void;
  /** Once a statement with this text was sent, it and all that is sent after it arrives, and no answer does. */
  readonly fallSilentAfter: (text: string) => void;
  /** Passes on what was held back, and everything after it. */
  readonly speak: () => void;
  /** Connections that are open now never hear anything again; new ones pass. */
  readonly forgetOpen: () => void;
  /** Ends every connection and refuses new ones, as a machine does on which no database runs. */
  readonly refuse: () => Promise<void>;
  /** Takes connections again, at the same address. */
  readonly accept: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type Pair = { readonly near: Socket; far?: Socket; isForgotten: boolean };

/** Stands between whoever connects to its address and the database at `url`. */
export async function silentProxy(url: string): Promise<SilentProxy> {
  const to = new URL(url);
  const pairs = new Set<Pair>();
  let passing: "everything" | "asks" | "nothing" = "everything";
  let awaited: string | undefined;

  const server = createServer((near) => {
    const pair: Pair = { near, isForgotten: false };
    pairs.add(pair);
    near.on("error", () => undefined).on("close", () => end(pair));
    near.on("data", (bytes) => {
      if (awaited !== undefined && bytes.includes(awaited)) turn("asks");
      pair.far?.write(bytes);
    });
    flow(pair);
  });

  function end(pair: Pair): void {
    pairs.delete(pair);
    pair.near.destroy();
    pair.far?.destroy();
  }

  /** Passes on what arrives, or stops reading either side. A side that was forgotten is read, and what it sends is dropped. */
  function flow(pair: Pair): void {
    const { near } = pair;
    if (passing === "nothing") {
      near.pause();
      pair.far?.pause();
      return;
    }
    if (!pair.far && !pair.isForgotten) {
      const far = connect(Number(to.port), to.hostname);
      pair.far = far;
      far.on("error", () => undefined).on("close", () => end(pair));
      far.on("data", (bytes) => void (pair.isForgotten || near.write(bytes)));
    }
    near.resume();
    if (passing === "everything") pair.far?.resume();
    else pair.far?.pause();
  }

  function turn(to: typeof passing): void {
    [passing, awaited] = [to, undefined];
    pairs.forEach(flow);
  }

  const here = await listening(server, url);
  return {
    url: here,
    fallSilent: () => turn("nothing"),
    fallSilentAfter: (text) => void (awaited = text),
    speak: () => turn("everything"),
    forgetOpen: () => pairs.forEach(forget),
    refuse: async () => {
      const refusing = stopListening(server);
      pairs.forEach(end);
      await refusing;
    },
    accept: () => listenAgain(server, here),
    close: async () => {
      pairs.forEach(end);
      await stopListening(server);
    },
  };
}

function forget(pair: Pair): void {
  pair.isForgotten = true;
  // Its database's side stays open too: that side hears nothing either.
  pair.near.removeAllListeners("data").resume();
}

/** Listens on a free port of the loopback; gives the address with that in its place. */
async function listening(server: Server, url: string): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const here = new URL(url);
  here.hostname = "127.0.0.1";
  // Safe because it listens on a port.
  here.port = String((server.address() as AddressInfo).port);
  return here.href;
}

async function stopListening(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  await once(server, "close");
}

async function listenAgain(server: Server, here: string): Promise<void> {
  if (server.listening) return;
  server.listen(Number(new URL(here).port), "127.0.0.1");
  await once(server, "listening");
}
