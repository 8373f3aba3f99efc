import { isAuthorizing, type DeterminationLine } from "./determination.ts";

/** How much of what a line asked for is authorized so far, in the unit it was asked in (X12 673). */
export type LineProgress = {
  readonly sequence: number;
  readonly unit?: string | undefined;
  readonly requested: number;
  readonly authorized: number;
  readonly remaining: number;
};

/**
 * How far each line of a determination is authorized. A line without a quantity, or authorized in another unit than was
 * asked, has no progress: nothing certain can be said of it.
 */
export function progressOf(lines: readonly DeterminationLine[]): readonly LineProgress[] {
  return lines.flatMap((line) => {
    const { sequence, requested } = line;
    const authorized = authorizedQuantity(line);
    if (requested?.quantity === undefined || authorized === undefined) return [];
    const remaining = Math.max(0, exact(requested.quantity - authorized));
    return [{ sequence, unit: requested.unit, requested: requested.quantity, authorized, remaining }];
  });
}

/** Quantities have at most three decimals; what binary fractions add to that is no quantity. */
function thousandths(quantity: number): number {
  return Math.round(quantity * 1_000);
}

function exact(quantity: number): number {
  return thousandths(quantity) / 1_000;
}

/** How many of a line's units are used. */
export type LineUse = { readonly sequence: number; readonly used: number };

/** How much of each line is authorized, in the unit it is authorized in; a line without a quantity has none. */
export function authorizedUnits(
  lines: readonly DeterminationLine[],
): readonly { readonly sequence: number; readonly unit?: string | undefined; readonly authorized: number }[] {
  return lines.flatMap((line) => {
    const unit = line.authorized?.unit ?? line.requested?.unit;
    const authorized = line.authorized?.quantity ?? authorizedQuantity(line) ?? 0;
    return authorized > 0 && line.action !== "A3" ? [{ sequence: line.sequence, unit, authorized }] : [];
  });
}

/** How much of the line that is used most is used, in whole percent, rounded down, so that 100 means all of it. */
export function percentUsed(lines: readonly DeterminationLine[], uses: readonly LineUse[]): number {
  const shares = authorizedUnits(lines).map(({ sequence, authorized }) => {
    const used = uses.find((use) => use.sequence === sequence)?.used ?? 0;
    return Math.floor((100 * thousandths(used)) / thousandths(authorized));
  });
  return Math.max(0, ...shares);
}

/** Whether the payer authorized some of what was asked, and not all of it. */
export function isPartlyAuthorized({ authorized, remaining }: LineProgress): boolean {
  return authorized > 0 && remaining > 0;
}

function authorizedQuantity({ action, requested, authorized }: DeterminationLine): number | undefined {
  if (action === "A3") return 0;
  if (!isAuthorizing(action)) return undefined;
  const inUnit = authorized?.unit === undefined || authorized.unit === requested?.unit;
  if (!inUnit) return undefined;
  return authorized?.quantity ?? (action === "A1" ? requested?.quantity : undefined);
}

/** What a determination authorizes beyond the one that it supersedes, line by line; below zero where it takes back. */
export function addedSince(
  before: readonly DeterminationLine[],
  lines: readonly DeterminationLine[],
): readonly { readonly sequence: number; readonly unit?: string | undefined; readonly added: number }[] {
  const had = new Map(progressOf(before).map((line) => [line.sequence, line]));
  return progressOf(lines).flatMap(({ sequence, unit, authorized }) => {
    const earlier = had.get(sequence);
    if (earlier && earlier.unit !== unit) return [];
    const added = exact(authorized - (earlier?.authorized ?? 0));
    return added === 0 ? [] : [{ sequence, unit, added }];
  });
}
