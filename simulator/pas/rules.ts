import { claimProblems, inquiryProblems } from "./claim-rules.ts";
import { changeOf, changeProblems, type Change } from "./change-rules.ts";
import { isNode, nodeAt, nodesAt, textAt } from "#simulator/json";
import {
  broken,
  isFilled,
  isInstant,
  referencesIn,
  takenApart,
  type Problem,
  type Request,
  type Rule,
} from "./request.ts";
import type { PasVersion } from "./version.ts";

type Refusal = { readonly ok: false; readonly problems: readonly Problem[] };

/** A submission that may be taken, and what it changes where it is no first request. */
export type CheckedSubmission =
  | { readonly ok: true; readonly request: Request; readonly change: Change | undefined }
  | Refusal;
export type CheckedInquiry = { readonly ok: true; readonly request: Request } | Refusal;

/** Checks a `Claim/$submit` body against the rules PAS states for a request bundle and all it holds. */
export function checkSubmission(value: unknown, version: PasVersion): CheckedSubmission {
  const request = requestIn(value, version);
  if (!request) return noBundle;
  const change = changeOf(request);
  const problems = problemsOf(request, () => [...claimProblems(request), ...changeProblems(request, change)]);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, request, change };
}

/** Checks a `Claim/$inquire` body: a query by example for one patient. */
export function checkInquiry(value: unknown, version: PasVersion): CheckedInquiry {
  const request = requestIn(value, version);
  if (!request) return noBundle;
  const problems = problemsOf(request, () => inquiryProblems(request));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, request };
}

/** A body taken apart, whatever is wrong with it; undefined where it is no Bundle. */
export function requestIn(value: unknown, version: PasVersion): Request | undefined {
  if (!isNode(value) || value["resourceType"] !== "Bundle") return undefined;
  return takenApart(value, nodesAt(value, "entry"), version);
}

const noBundle: Refusal = {
  ok: false,
  problems: [{ code: "invalid", at: "Bundle", text: "must be the body" }],
};

function problemsOf(request: Request, claimRules: () => readonly Problem[]): readonly Problem[] {
  const { version } = request;
  const problems = broken(bundleRules, request, { under: "Bundle", version });
  return problems.length > 0 ? problems : [...claimRules(), ...entryProblems(request)];
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
];

/** A resource of the bundle and where it stands. */
type Entry = { readonly fullUrl: string; readonly resource: Request["claim"]; readonly request: Request };

const entryRules: readonly Rule<Entry>[] = [
  [
    ".fullUrl",
    "must end with the type and id of its resource",
    "invalid",
    ({ fullUrl, resource }) =>
      !fullUrl.startsWith("http") || fullUrl.endsWith(`/${textAt(resource, "resourceType")}/${textAt(resource, "id")}`),
  ],
  [
    ".resource.meta.profile",
    "names another version of PAS than this address speaks",
    "not-supported",
    ({ resource, request }) => profilesOf(resource).every((profile) => !isOfOtherVersion(profile, request.version)),
  ],
  [
    ".resource",
    "refers to a resource that is not in the bundle",
    "not-found",
    ({ fullUrl, resource, request }) => {
      // The Claim before the one that is updated must not be sent, so what it refers to is not missing.
      const { related, ...others } = resource;
      const looked = fullUrl === request.claimUrl ? { related, ...others } : others;
      return referencesIn(looked).every(
        (reference) =>
          String(reference["reference"]).startsWith("#") ||
          request.resolve(reference, undefined, fullUrl) !== undefined,
      );
    },
  ],
];

function entryProblems(request: Request): readonly Problem[] {
  return request.resources.flatMap((found, index) =>
    broken(entryRules, { ...found, request }, { under: `Bundle.entry[${index}]`, version: request.version }),
  );
}

function profilesOf(resource: Request["claim"]): readonly string[] {
  const profiles = nodeAt(resource, "meta")["profile"];
  return Array.isArray(profiles) ? profiles.filter((each) => typeof each === "string") : [];
}

function isOfOtherVersion(profile: string, version: PasVersion): boolean {
  const [url, named] = profile.split("|");
  return (url ?? "").startsWith("http://hl7.org/fhir/us/davinci-pas/") && named !== undefined && named !== version;
}

function isAddress(url: string): boolean {
  return /^(?:urn:uuid:[0-9a-f-]{36}|https?:\/\/\S+)$/.test(url);
}
