import { isUuid } from "#lib/task/store/load-task";
import type { Place } from "#lib/queue/store/queue";

const sectionsMax = 3;
/** In microseconds; late in the year 9988. */
const keyMax = 253_000_000_000_000_000n;

type Row = { readonly section: number; readonly key_us: string | null; readonly id: string };

/** The cursor of the page after or before this row, for an address. It is opaque and holds nothing of the case but its id. */
export function cursorAt({ section, key_us: key, id }: Row, direction: "after" | "before"): string {
  return Buffer.from([direction === "after" ? "a" : "b", section, key ?? "", id].join("~")).toString("base64url");
}

/** The cursor in an address; undefined for anything else, which gives the first page. */
export function readCursor(text: string | undefined): Place | undefined {
  if (text === undefined || text.length > 200) return undefined;
  const [direction, section = "", key = "", id = "", ...rest] = Buffer.from(text, "base64url")
    .toString("latin1")
    .split("~");
  const known =
    (direction === "a" || direction === "b") && /^\d$/.test(section) && /^-?\d{0,18}$/.test(key) && key !== "-";
  if (!known || !isUuid(id) || rest.length > 0 || Number(section) >= sectionsMax) return undefined;
  const keyUs = key === "" ? undefined : BigInt(key);
  if (keyUs !== undefined && (keyUs > keyMax || keyUs < -keyMax)) return undefined;
  return { section: Number(section), keyUs, id, back: direction === "b" };
}
