/**
 * Which cell an id was made in: a whole service with a database of its own, for a part of the practices. There is one
 * cell, so these are constants; the places are reserved so that an edge can tell cells by an id alone.
 */
export const cell = {
  /** The twelve bits of a UUID of version 7 after its version, as hexadecimal digits. */
  inUuids: "000",
  /** The first two characters of the id of a key or a client. */
  inPublicIds: "AA",
} as const;
