import { listen, type Hint } from "./listen.ts";

export type HintReader = {
  readonly onHint: (hint: Hint) => void;
  /** The connection stands, for the first time or again: hints before may have been missed. */
  readonly onConnected: () => void;
};

/** The hints of every process on the same database, over one connection for all readers of this process. */
export type Hints = {
  /** Reads until the returned function is called. Connects with the first reader. */
  readonly subscribe: (reader: HintReader) => () => void;
  readonly close: () => Promise<void>;
};

type Options = {
  /** A direct address of the database, without a connection pooler in between. */
  readonly url: string;
  readonly onLost: (error: unknown) => void;
};

export function openHints({ url, onLost }: Options): Hints {
  const readers = new Set<HintReader>();
  let listener: ReturnType<typeof listen> | undefined;
  let isConnected = false;
  const open = () =>
    listen(url, {
      onHint: (hint) => {
        for (const { onHint } of readers) onHint(hint);
      },
      onConnected: () => {
        isConnected = true;
        for (const { onConnected } of readers) onConnected();
      },
      onLost: (error) => {
        isConnected = false;
        onLost(error);
      },
    });
  return {
    subscribe: (reader) => {
      readers.add(reader);
      listener ??= open();
      if (isConnected) reader.onConnected();
      return () => void readers.delete(reader);
    },
    close: async () => {
      readers.clear();
      await listener?.close();
    },
  };
}
