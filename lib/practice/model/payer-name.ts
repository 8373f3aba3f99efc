/** A payer that a practice knows, by all that it goes by. */
export type PayerName = {
  readonly payerId: string;
  readonly name?: string | undefined;
  readonly aliases: readonly string[];
};

/** A payer by its id, with its name where it has one. */
export function payerLabel({ payerId, name }: Pick<PayerName, "payerId" | "name">): string {
  return name === undefined ? payerId : `${payerId} (${name})`;
}
