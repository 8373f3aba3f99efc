import { isUuid } from "#lib/task/store/load-task";
import type { Place } from "#lib/queue/store/queue";

const sectionsMax = 3;
/** Microseconds; some way into the year 9999. */
const keyMax = 253_000_000_000_000_000n;

type Row = { readonly section: number; readonly key_us: string | null; readonly id: string };

/** Where the page after, or before, this row begins, as an address carries it: opaque, and without anything of the case but its id. */
export function placeAt({ section, key_us: key, id }: Row, way: "after" | "before"): string {
  return Buffer.from([way === "after" ? "a" : "b", section, key ?? "", id].join("~")).toString("base64url");
}

/** The place an address names; anything else names none, and so the first page. */
export function readPlace(text: string | undefined): Place | undefined {
  if (text === undefined || text.length > 200) return undefined;
  const [way, section = "", key = "", id = "", ...rest] = Buffer.from(text, "base64url").toString("latin1").split("~");
  const known = (way === "a" || way === "b") && /^\d$/.test(section) && /^-?\d{0,18}$/.test(key) && key !== "-";
  if (!known || !isUuid(id) || rest.length > 0 || Number(section) >= sectionsMax) return undefined;
  const keyUs = key === "" ? undefined : BigInt(key);
  if (keyUs !== undefined && (keyUs > keyMax || keyUs < -keyMax)) return undefined;
  return { section: Number(section), keyUs, id, back: way === "b" };
}
