import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Bundle, Resource, StructureDefinition } from "fhir/r4";
import type { PasVersion } from "#lib/payer/pas-fhir/settings";
import { isBound } from "./bindings.ts";
import { structuralProblems } from "./fhir.ts";

/*
 * Checks a resource against the published profiles of PAS, element by element: how often each may occur, in its slices
 * too, every fixed value and pattern, and every required binding as far as `bindings.ts` knows it. FHIR's own rules and the
 * invariants of a profile are checked by Medplum's validator.
 */

type Discriminator = { readonly type: string; readonly path: string };
type Element = {
  readonly id: string;
  readonly min: number;
  readonly max: string;
  readonly mustSupport?: boolean;
  readonly type?: readonly { readonly code: string; readonly profile?: readonly string[] }[];
  readonly constraint?: readonly { readonly key: string }[];
  readonly binding?: { readonly strength: string; readonly valueSet?: string };
  readonly slicing?: { readonly discriminator?: readonly Discriminator[] };
} & Readonly<Record<string, unknown>>;

/** An element of a profile with those below it, and the slices it is divided into. */
type Node = {
  readonly element: Element;
  readonly children: Map<string, Node>;
  readonly slices: Map<string, Node>;
};

type Json = Readonly<Record<string, unknown>>;
/** A value with the member's name, which says the type of a choice such as `value[x]`. */
type Value = { readonly key: string; readonly value: unknown };

type Guide = {
  readonly version: PasVersion;
  readonly definitions: ReadonlyMap<string, StructureDefinition>;
  readonly roots: Map<string, Node>;
};

const guides = new Map<PasVersion, Guide>();

/**
 * What is wrong with a bundle and every resource in it by the profiles they name: cardinalities, slices, fixed values and
 * patterns, each with its element. `seen` gathers the elements that are present, as `mustSupport` names them.
 */
export function profileProblems(version: PasVersion, bundle: Bundle, seen: Set<string> = new Set()): readonly string[] {
  return eachProfile(version, bundle, (url, resource) => {
    const guide = guideOf(version);
    const root = rootOf(guide, url);
    if (!root) return url.includes("/davinci-pas/") ? ["is no profile of this version"] : [];
    return problemsBelow({ guide, seen, name: nameOf(url) }, root, resource, resource.resourceType);
  });
}

/** Which invariants of their profiles a bundle and its resources break, as Medplum's validator finds. Slow. */
export function brokenInvariants(version: PasVersion, bundle: Bundle): readonly string[] {
  return eachProfile(version, bundle, (url, resource) => {
    const definition = guideOf(version).definitions.get(bare(url));
    if (!definition || !hasInvariants(definition)) return [];
    return structuralProblems(resource, definition).filter((problem) => problem.includes("Constraint"));
  });
}

function eachProfile(
  version: PasVersion,
  bundle: Bundle,
  problemsOf: (url: string, resource: Resource) => readonly string[],
): readonly string[] {
  const resources = (bundle.entry ?? []).flatMap(({ resource }) => (resource ? [resource] : []));
  return [bundle, ...resources].flatMap((resource) =>
    (resource.meta?.profile ?? []).flatMap((url) =>
      problemsOf(url, resource).map((problem) => `${nameOf(url)} ${version}: ${problem}`),
    ),
  );
}

/** The elements a profile marks as must-support, as `profile-claim Claim.item.extension:requestType`. */
export function mustSupport(version: PasVersion, name: string): readonly string[] {
  const definition = [...guideOf(version).definitions.values()].find(({ id }) => id === name);
  if (!definition) throw new Error(`There is no profile ${name} in PAS ${version}.`);
  return elementsOf(definition).flatMap(({ id, mustSupport: must }) => (must ? [`${name} ${id}`] : []));
}

/** Whether a profile says more than FHIR itself does, which Medplum checks without a profile, and much faster. */
function hasInvariants(definition: StructureDefinition): boolean {
  return elementsOf(definition).some(({ constraint = [] }) =>
    constraint.some(({ key }) => !/^(?:[a-z]{3})-\d+$/.test(key)),
  );
}

function guideOf(version: PasVersion): Guide {
  const known = guides.get(version);
  if (known) return known;
  const path = new URL(`../../../vectors/pas/profiles/${version}.json`, import.meta.url);
  const definitions = JSON.parse(readFileSync(path, "utf8")) as StructureDefinition[];
  const guide = {
    version,
    definitions: new Map(definitions.map((each) => [each.url, each])),
    roots: new Map<string, Node>(),
  };
  guides.set(version, guide);
  return guide;
}

function elementsOf({ snapshot }: StructureDefinition): readonly Element[] {
  // Safe because the published files have these members, with the types FHIR gives them.
  return (snapshot?.element ?? []) as unknown as readonly Element[];
}

function rootOf(guide: Guide, url: string): Node | undefined {
  const known = guide.roots.get(bare(url));
  const definition = guide.definitions.get(bare(url));
  if (known || !definition) return known;
  const [first, ...others] = elementsOf(definition);
  if (!first) return undefined;
  const root = newNode(first);
  for (const element of others) insert(root, element);
  guide.roots.set(bare(url), root);
  return root;
}

function insert(root: Node, element: Element): void {
  const [, ...segments] = element.id.split(".");
  let node = root;
  for (const segment of segments) {
    const [name = "", slice] = segment.split(":");
    const child = node.children.get(name) ?? newNode(element);
    node.children.set(name, child);
    const sliced = slice === undefined ? child : (child.slices.get(slice) ?? newNode(element));
    if (slice !== undefined) child.slices.set(slice, sliced);
    node = sliced;
  }
}

function newNode(element: Element): Node {
  return { element, children: new Map(), slices: new Map() };
}

type Visit = { readonly guide: Guide; readonly seen: Set<string>; readonly name: string };

function problemsBelow(visit: Visit, node: Node, value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  return [...node.children].flatMap(([name, child]) => {
    const values = valuesOf(value as Json, name);
    return [
      ...problemsOf(visit, child, values, `${path}.${name}`),
      ...[...child.slices].flatMap(([slice, sliced]) => {
        const matching = matched(visit.guide, child, sliced, values);
        return matching ? problemsOf(visit, sliced, matching, `${path}.${name}:${slice}`) : [];
      }),
    ];
  });
}

function problemsOf(visit: Visit, node: Node, values: readonly Value[], path: string): string[] {
  const { element } = node;
  if (values.length > 0) visit.seen.add(`${visit.name} ${element.id}`);
  const most = element.max === "*" ? Infinity : Number(element.max);
  const counted =
    values.length < element.min || values.length > most
      ? [`${path} occurs ${values.length} times, of ${element.min} to ${element.max}`]
      : [];
  return [...counted, ...values.flatMap(({ value }) => problemsAt(visit, node, value, path))];
}

function problemsAt(visit: Visit, node: Node, value: unknown, path: string): string[] {
  const wanted = expectedOf(node.element);
  const differs = [
    ...(wanted && !fits(value, wanted) ? [`${path} is not ${JSON.stringify(wanted.value)}`] : []),
    ...unboundAt(visit, node.element, value).map((valueSet) => `${path} is not of ${valueSet}`),
  ];
  // An entry's resource is checked by the profile it names itself.
  if (path.endsWith(".resource")) return differs;
  if (node.children.size > 0) return [...differs, ...problemsBelow(visit, node, value, path)];
  const [only, ...others] = (node.element.type ?? []).flatMap(({ profile }) => profile ?? []);
  const profile = only !== undefined && others.length === 0 ? rootOf(visit.guide, only) : undefined;
  if (!profile || only === undefined) return differs;
  return [...differs, ...problemsBelow({ ...visit, name: nameOf(only) }, profile, value, path)];
}

/** The value set that a required binding names and the value is not of. */
function unboundAt({ guide }: Visit, { binding }: Element, value: unknown): readonly string[] {
  const valueSet = binding?.strength === "required" ? binding.valueSet : undefined;
  return valueSet === undefined || isBound(guide.version, valueSet, value) ? [] : [valueSet];
}

function valuesOf(of: Json, name: string): Value[] {
  const isChoice = name.endsWith("[x]");
  const stem = name.replace("[x]", "");
  const keys = Object.keys(of).filter((key) =>
    isChoice ? key.startsWith(stem) && /^[A-Z]/.test(key.slice(stem.length)) : key === name,
  );
  // A primitive without a value may still be there as its extension, which says why.
  const alone = keys.length === 0 && Object.hasOwn(of, `_${name}`) ? [`_${name}`] : [];
  return [...keys, ...alone].flatMap((key) => [of[key]].flat().map((value) => ({ key, value })));
}

/** The values that belong to a slice; undefined where only a value set tells them apart. */
function matched(guide: Guide, parent: Node, slice: Node, values: readonly Value[]): readonly Value[] | undefined {
  const tests = (parent.element.slicing?.discriminator ?? []).map((each) => testOf(guide, slice, each));
  if (tests.length === 0 || tests.some((test) => test === undefined)) return undefined;
  return values.filter((value) => tests.every((test) => test?.(value)));
}

type Test = (value: Value) => boolean;

const scope = /^extension\('([^']+)'\)\.value/;

function testOf(guide: Guide, slice: Node, { type, path }: Discriminator): Test | undefined {
  if (type === "type") return typeTest(slice, path);
  const [, extension] = scope.exec(path) ?? [];
  if (extension !== undefined) {
    const inner = [...(slice.children.get("extension")?.slices.values() ?? [])][0]?.children.get("value[x]");
    const wanted = inner && expectedOf(inner.element);
    return wanted && (({ value }) => isDeepStrictEqual(extensionValue(value as Json, extension), wanted.value));
  }
  if (path === "$this") {
    const wanted = expectedOf(slice.element);
    return wanted && (({ value }) => fits(value, wanted));
  }
  const wanted = expectedAt(guide, slice, path);
  return wanted && (({ value }) => fits((value as Json)[path], wanted));
}

function typeTest(slice: Node, path: string): Test {
  if (path !== "$this") {
    const [kind] = slice.children.get(path)?.element.type ?? [];
    return ({ value }) => ((value as Json)[path] as Resource | undefined)?.resourceType === kind?.code;
  }
  const codes = (slice.element.type ?? []).map(({ code }) => code.toLowerCase());
  return ({ key }) => codes.some((code) => key.toLowerCase().endsWith(code));
}

function expectedAt(guide: Guide, slice: Node, path: string): ExpectedValue | undefined {
  const own = slice.children.get(path);
  if (own) return expectedOf(own.element);
  const [profile] = (slice.element.type ?? []).flatMap((each) => each.profile ?? []);
  const child = profile === undefined ? undefined : rootOf(guide, profile)?.children.get(path);
  return child && expectedOf(child.element);
}

/** A fixed value must be the same; of a pattern everything must be there, among more. */
type ExpectedValue = { readonly kind: "fixed" | "pattern"; readonly value: unknown };

function expectedOf(element: Element): ExpectedValue | undefined {
  for (const [name, value] of Object.entries(element)) {
    const kind = /^fixed[A-Z]/.test(name) ? "fixed" : /^pattern[A-Z]/.test(name) ? "pattern" : undefined;
    if (kind) return { kind, value };
  }
  return undefined;
}

function fits(value: unknown, { kind, value: wanted }: ExpectedValue): boolean {
  return kind === "fixed" ? isDeepStrictEqual(value, wanted) : includes(value, wanted);
}

function includes(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.every((each) => [value].flat().some((one) => includes(one, each)));
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(wanted).every(([key, each]) => includes((value as Json)[key], each));
}

function extensionValue(of: Json, url: string): unknown {
  const found = ([of["extension"] ?? []].flat() as Json[]).find((each) => each["url"] === url);
  return Object.entries(found ?? {}).find(([key]) => key.startsWith("value"))?.[1];
}

/** An address without the version that a profile may append to it. */
function bare(url: string): string {
  return url.replace(/\|.*$/, "");
}

function nameOf(url: string): string {
  return bare(url).split("/").at(-1) ?? url;
}
