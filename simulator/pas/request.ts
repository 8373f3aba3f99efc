import { isNode, textAt, type Node } from "#simulator/json";
import type { PasVersion } from "./version.ts";

/** One thing that keeps a bundle from being a valid PAS request. `code` is a FHIR issue type. */
export type Problem = {
  readonly code:
    | "invalid"
    | "structure"
    | "required"
    | "value"
    | "not-found"
    | "not-supported"
    | "code-invalid"
    | "business-rule"
    | "conflict";
  readonly at: string;
  readonly text: string;
};

/** A resource a bundle's reference may mean, with the address it stands under. */
export type FoundEntry = { readonly fullUrl: string; readonly resource: Node };

/** A bundle taken apart. */
export type Request = {
  readonly version: PasVersion;
  readonly bundle: Node;
  readonly claimUrl: string;
  readonly claim: Node;
  /** The resource of one of these kinds that a reference of the Claim, or of `from`, means. */
  readonly resolve: (reference: Node, kinds?: readonly string[], from?: string) => FoundEntry | undefined;
  readonly resources: readonly FoundEntry[];
};

/** One rule as a row of a table: what must hold, where, how a breach is told, and the only version that has it. */
export type Rule<Of> = readonly [
  at: string,
  must: string,
  code: Problem["code"],
  isMet: (of: Of) => boolean,
  only?: PasVersion,
];

/** The rules that do not hold for something, placed under its element path. */
export function broken<Of>(
  rules: readonly Rule<Of>[],
  of: Of,
  { under, version }: { readonly under: string; readonly version: PasVersion },
): readonly Problem[] {
  return rules
    .filter(([, , , isMet, only]) => (only === undefined || only === version) && !isMet(of))
    .map(([at, must, code]) => ({ code, at: `${under}${at}`, text: must }));
}

/** A bundle's entries, and what its references mean. */
export function takenApart(bundle: Node, entries: readonly Node[], version: PasVersion): Request {
  const resources = entries.map((entry) => ({
    fullUrl: textAt(entry, "fullUrl") ?? "",
    resource: isNode(entry["resource"]) ? entry["resource"] : {},
  }));
  const first = resources[0] ?? { fullUrl: "", resource: {} };
  return {
    version,
    bundle,
    claimUrl: first.fullUrl,
    claim: first.resource,
    resources,
    resolve: (reference, kinds, from = first.fullUrl) => {
      const target = absolute(textAt(reference, "reference") ?? "", from);
      const found = resources.find(({ fullUrl }) => fullUrl !== "" && fullUrl === target);
      return found && (kinds?.includes(textAt(found.resource, "resourceType") ?? "") ?? true) ? found : undefined;
    },
  };
}

/** FHIR R4 "Resolving references in Bundles": a relative reference stands on the base of the entry that holds it. */
function absolute(reference: string, from: string): string {
  if (/^[a-z]+:/i.test(reference)) return reference;
  const base = /^(https?:\/\/.+)\/[A-Za-z]+\/[^/]+$/.exec(from)?.[1];
  return base === undefined ? reference : `${base}/${reference}`;
}

/** Every reference in a value, however deep. */
export function referencesIn(value: unknown): readonly Node[] {
  const found: Node[] = [];
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...next);
    else if (isNode(next)) {
      if (typeof next["reference"] === "string") found.push(next);
      open.push(...Object.values(next).filter((each) => typeof each === "object" && each !== null));
    }
  }
  return found;
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
