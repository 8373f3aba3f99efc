import type { Prisma } from "#lib/db/generated/prisma/client";
import type { Db } from "./db.ts";

/** A statement with its parameters. Outside a transaction it is prepared under its name. */
export type Statement = { readonly name: string; readonly text: string; readonly values: readonly unknown[] };

/** The rows of a statement, in a transaction or outside. */
export async function query<Row extends object>(db: Db, { name, text, values }: Statement): Promise<Row[]> {
  if ("pool" in db) return (await db.pool.query<Row>({ name, text, values: [...values] })).rows;
  return db.$queryRawUnsafe<Row[]>(text, ...values);
}

/** Prisma's operations, in a transaction or outside. */
export function prismaOf(db: Db): Prisma.TransactionClient {
  return "pool" in db ? db.prisma : db;
}
