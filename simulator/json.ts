/** A JSON object of which nothing is known yet. */
export type Node = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member when it is an object, else an empty one. */
export function nodeAt(node: Node, name: string): Node {
  const value = node[name];
  return isNode(value) ? value : {};
}

/** The objects of a member that is an array, else none. */
export function nodesAt(node: Node, name: string): readonly Node[] {
  const value = node[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function textAt(node: Node, name: string): string | undefined {
  const value = node[name];
  return typeof value === "string" ? value : undefined;
}

export function numberAt(node: Node, name: string): number | undefined {
  const value = node[name];
  return typeof value === "number" ? value : undefined;
}

/** The code a CodeableConcept member has in one system, or in any when none is named. */
export function codeAt(node: Node, name: string, system?: string): string | undefined {
  const coding = nodesAt(nodeAt(node, name), "coding").find(
    (each) => system === undefined || textAt(each, "system") === system,
  );
  return coding && textAt(coding, "code");
}

export function extensionAt(node: Node, url: string): Node | undefined {
  return nodesAt(node, "extension").find((each) => textAt(each, "url") === url);
}
