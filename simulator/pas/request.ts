import { textAt, type Node } from "#simulator/json";

/** One thing that keeps a bundle from being a valid PAS request. `code` is a FHIR issue type. */
export type Problem = {
  readonly code: "invalid" | "required" | "value" | "not-found" | "code-invalid" | "business-rule";
  readonly at: string;
  readonly text: string;
};

/** A resource a bundle's reference may mean, with the address it stands under. */
export type Found = { readonly fullUrl: string; readonly resource: Node };
type Resolve = (reference: Node, kinds: readonly string[]) => Found | undefined;

/** A bundle that passed every rule, taken apart. */
export type Request = {
  readonly bundle: Node;
  readonly claimUrl: string;
  readonly claim: Node;
  readonly resolve: Resolve;
  readonly resources: readonly Found[];
};

/** One rule as a row of a table: what must hold, where, and how a breach is told. */
export type Rule<Of> = readonly [at: string, must: string, code: Problem["code"], holds: (of: Of) => boolean];

/** The rules that do not hold for something, placed under its element path. */
export function broken<Of>(rules: readonly Rule<Of>[], of: Of, under: string): readonly Problem[] {
  return rules.flatMap(([at, must, code, holds]) => (holds(of) ? [] : [{ code, at: `${under}${at}`, text: must }]));
}

export function isFilled(node: Node, names: readonly string[]): boolean {
  return names.every((name) => (textAt(node, name) ?? "") !== "");
}

export function isInstant(text: string | undefined): boolean {
  return (
    text !== undefined &&
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}

export function isDay(text: string | undefined): boolean {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
