import { sealedValue } from "./archived.ts";
import type { Db } from "./db.ts";
import { sealerOf } from "./practice-keys.ts";
import type { Place } from "./seal.ts";
import type { ArchivedColumnName, SealedColumnName } from "./sealed-columns.ts";

/** The row of a sealed value: its key, joined by slashes, and its practice. In any other row the value does not open. */
export type SealedRow = Pick<Place, "row" | "practiceId">;

type SealedValue = Uint8Array<ArrayBuffer>;

/** Seals the value of a column before it is stored. */
export function sealBytes(db: Db, column: SealedColumnName, of: SealedRow, bytes: Uint8Array): SealedValue {
  return sealerOf(db).seal(bytes, placeOf(column, of));
}

/** The same for a text, as UTF-8. */
export function sealText(db: Db, column: SealedColumnName, of: SealedRow, text: string): SealedValue {
  return sealBytes(db, column, of, Buffer.from(text));
}

type AtHandColumn = Exclude<SealedColumnName, ArchivedColumnName>;

/** The value that was sealed for this column and row. Throws if it was changed or belongs elsewhere. */
export function openBytes(db: Db, column: AtHandColumn, of: SealedRow, sealed: Uint8Array): SealedValue {
  return sealerOf(db).open(sealed, placeOf(column, of));
}

/** The same for a text; throws if it is no UTF-8. */
export function openText(db: Db, column: AtHandColumn, of: SealedRow, sealed: Uint8Array): string {
  return textOf(openBytes(db, column, of, sealed));
}

/**
 * The same for a column whose values may be in the archive, wherever this one is. Fails with `ArchiveAwayError` while the
 * archive is not at hand, and with `ArchivedValueLostError` where it does not have what was put there.
 */
export async function openArchivedBytes(
  db: Db,
  column: ArchivedColumnName,
  of: SealedRow,
  value: Uint8Array,
): Promise<SealedValue> {
  return sealerOf(db).open(await sealedValue(db, of.practiceId, value), placeOf(column, of));
}

/** The same for a text; throws if it is no UTF-8. */
export async function openArchivedText(
  db: Db,
  column: ArchivedColumnName,
  of: SealedRow,
  value: Uint8Array,
): Promise<string> {
  return textOf(await openArchivedBytes(db, column, of, value));
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** The keyed hash by which a practice's members are found. */
export function memberHash(db: Db, memberId: string, practiceId: string): SealedValue {
  return sealerOf(db).memberHash(memberId, practiceId);
}

/** What is stored in place of something a practice's cases are found by: equal for equal texts of one practice alone. */
export function searchToken(db: Db, text: string, practiceId: string): SealedValue {
  return sealerOf(db).searchToken(text, practiceId);
}

function placeOf(name: SealedColumnName, { row, practiceId }: SealedRow): Place {
  const dot = name.indexOf(".");
  return { table: name.slice(0, dot), column: name.slice(dot + 1), row, practiceId };
}
