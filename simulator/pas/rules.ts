import { claimProblems, inquiryProblems } from "./claim-rules.ts";
import { isNode, nodeAt, nodesAt, textAt, type Node } from "#simulator/json";
import { broken, isFilled, isInstant, type Found, type Problem, type Request, type Rule } from "./request.ts";

export type Checked =
  { readonly ok: true; readonly request: Request } | { readonly ok: false; readonly problems: readonly Problem[] };

/** Checks a `Claim/$submit` body against the rules PAS 2.2.1 states for a request bundle and all it holds. */
export function checkSubmission(value: unknown): Checked {
  return checked(value, claimProblems);
}

/** Checks a `Claim/$inquire` body: a query by example for one patient. */
export function checkInquiry(value: unknown): Checked {
  return checked(value, inquiryProblems);
}

function checked(value: unknown, claimRules: (request: Request) => readonly Problem[]): Checked {
  if (!isNode(value) || value["resourceType"] !== "Bundle") {
    return { ok: false, problems: [{ code: "invalid", at: "Bundle", text: "The body is not a Bundle." }] };
  }
  const entries = nodesAt(value, "entry");
  const first = entries[0] ?? {};
  const resources = entries.map((entry) => ({
    fullUrl: textAt(entry, "fullUrl") ?? "",
    resource: nodeAt(entry, "resource"),
  }));
  const request: Request = {
    bundle: value,
    claimUrl: textAt(first, "fullUrl") ?? "",
    claim: nodeAt(first, "resource"),
    resolve: (reference, kinds) => resolved(resources, reference, kinds),
    resources,
  };
  const problems = broken(bundleRules, request, "Bundle");
  const all = problems.length > 0 ? problems : [...claimRules(request), ...danglingProblems(request)];
  return all.length > 0 ? { ok: false, problems: all } : { ok: true, request };
}

const bundleRules: readonly Rule<Request>[] = [
  [".type", "must be collection", "value", ({ bundle }) => bundle["type"] === "collection"],
  [
    ".identifier",
    "needs a system and a value",
    "required",
    ({ bundle }) => isFilled(nodeAt(bundle, "identifier"), ["system", "value"]),
  ],
  [".timestamp", "must be an instant", "required", ({ bundle }) => isInstant(textAt(bundle, "timestamp"))],
  [".entry", "must not be empty", "required", ({ resources }) => resources.length > 0],
  [
    ".entry.fullUrl",
    "must be a URL or urn:uuid on every entry",
    "value",
    ({ resources }) => resources.every(({ fullUrl }) => isAddress(fullUrl)),
  ],
  [
    ".entry.fullUrl",
    "must be unique: each resource appears once",
    "invalid",
    ({ resources }) => new Set(resources.map(({ fullUrl }) => fullUrl)).size === resources.length,
  ],
  [
    ".entry.resource",
    "must be there on every entry",
    "required",
    ({ resources }) => resources.every(({ resource }) => textAt(resource, "resourceType") !== undefined),
  ],
  [
    ".entry",
    "has no search, request or response",
    "invalid",
    ({ bundle }) =>
      !nodesAt(bundle, "entry").some((entry) => "search" in entry || "request" in entry || "response" in entry),
  ],
  [".entry[0]", "must be the Claim", "invalid", ({ claim }) => claim["resourceType"] === "Claim"],
  [
    ".entry",
    "holds exactly one Claim; updates are not supported yet",
    "invalid",
    ({ resources }) => resources.filter(({ resource }) => resource["resourceType"] === "Claim").length === 1,
  ],
];

function isAddress(url: string): boolean {
  return /^(?:urn:uuid:[0-9a-f-]{36}|https?:\/\/\S+)$/.test(url);
}

/** A urn:uuid means something only inside its bundle, so it must be there. */
function danglingProblems({ resources }: Request): readonly Problem[] {
  const known = new Set(resources.map(({ fullUrl }) => fullUrl));
  return resources.flatMap(({ resource }, index) =>
    referencesIn(resource)
      .filter((reference) => reference.startsWith("urn:uuid:") && !known.has(reference))
      .map(() => ({
        code: "not-found" as const,
        at: `Bundle.entry[${index}].resource`,
        text: "refers to a resource that is not in the bundle",
      })),
  );
}

function referencesIn(value: unknown): readonly string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) open.push(...next);
    else if (isNode(next)) {
      if (typeof next["reference"] === "string") found.push(next["reference"]);
      open.push(...Object.values(next).filter((each) => typeof each === "object" && each !== null));
    }
  }
  return found;
}

function resolved(resources: readonly Found[], reference: Node, kinds: readonly string[]): Found | undefined {
  const target = textAt(reference, "reference");
  if (target === undefined || target === "") return undefined;
  const found = resources.find(({ fullUrl }) => fullUrl === target || fullUrl.endsWith(`/${target}`));
  return found && kinds.includes(textAt(found.resource, "resourceType") ?? "") ? found : undefined;
}
