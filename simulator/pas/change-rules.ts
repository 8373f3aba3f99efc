import { codeAt, extensionAt, nodeAt, nodesAt, textAt, type Node } from "#simulator/json";
import { certificationOf } from "./item-rules.ts";
import { broken, isFilled, type FoundEntry, type Problem, type Request, type Rule } from "./request.ts";
import { rowProblems, rowsOf } from "./row-rules.ts";
import { codes, profileUrls, urls } from "./vocabulary.ts";

/** What a submission changes that was asked before. */
export type Change = {
  /** The Claim it changes, which comes along in 2.2.1 and must not in 2.0.1. */
  readonly prior: FoundEntry | undefined;
  /** The trace numbers of the version it changes: of that Claim, of its logical reference, or (2.0.1) of this Claim itself. */
  readonly traces: readonly string[];
  /** The whole request is taken back. */
  readonly cancelsAll: boolean;
};

/** Tells an update from a first request, which is undefined. */
export function changeOf(request: Request): Change | undefined {
  const { claim, version, resolve } = request;
  const [related] = nodesAt(claim, "related");
  if (!related && !(version === "2.0.1" && saysItUpdates(claim))) return undefined;
  const items = nodesAt(claim, "item");
  const prior = version === "2.2.1" && related ? resolve(nodeAt(related, "claim"), ["Claim"]) : undefined;
  const logical = nodeAt(nodeAt(related ?? {}, "claim"), "identifier");
  const named = prior ? nodesAt(prior.resource, "identifier") : related ? [logical] : nodesAt(claim, "identifier");
  return {
    prior,
    traces: named.flatMap((each) => textAt(each, "value") ?? []),
    cancelsAll: certificationOf(claim) === "3" || (items.length > 0 && items.every(isCancelled)),
  };
}

/** PAS "Updating Authorization Requests" and profile-claim-update: what is wrong with how a request changes another. */
export function changeProblems(request: Request, change: Change | undefined): readonly Problem[] {
  const { claim, version } = request;
  if (!change) return broken(firstRules, request, { under: "", version });
  const problems = broken(updateRules, request, { under: "", version });
  if (problems.length > 0 || !change.prior) return problems;
  const before = { claim: change.prior.resource, from: change.prior.fullUrl };
  return (["item", "supportingInfo"] as const).flatMap((name) =>
    rowProblems({
      name,
      rows: rowsOf(request, name),
      before: rowsOf(request, name, before),
      cancelsAll: certificationOf(claim) === "3",
      version,
    }),
  );
}

const claimsIn = ({ resources }: Request) => resources.filter(({ resource }) => resource["resourceType"] === "Claim");

const firstRules: readonly Rule<Request>[] = [
  [
    "Bundle.entry",
    "must hold one Claim where none is updated",
    "structure",
    (request) => claimsIn(request).length === 1,
  ],
  ["Claim.related", "must name the Claim that is updated", "required", ({ claim }) => !saysItUpdates(claim)],
];

const updateRules: readonly Rule<Request>[] = [
  ["Claim.related", "must be one", "structure", ({ claim }) => nodesAt(claim, "related").length === 1, "2.2.1"],
  [
    "Claim.related[0].relationship",
    "must be prior",
    "value",
    ({ claim }) => relationshipOf(claim) === "prior",
    "2.2.1",
  ],
  [
    "Claim.related[0].relationship",
    "must be replaces or prior",
    "value",
    ({ claim }) => !("related" in claim) || ["replaces", "prior"].includes(relationshipOf(claim) ?? ""),
    "2.0.1",
  ],
  [
    "Claim.related[0].claim",
    "must be another Claim of the bundle",
    "not-found",
    ({ claim, claimUrl, resolve }) => {
      const prior = resolve(nodeAt(nodesAt(claim, "related")[0] ?? {}, "claim"), ["Claim"]);
      return prior !== undefined && prior.fullUrl !== claimUrl;
    },
    "2.2.1",
  ],
  [
    "Claim.related[0].claim",
    "must name a Claim by its identifier",
    "required",
    ({ claim }) => {
      const [related] = nodesAt(claim, "related");
      return !related || isFilled(nodeAt(nodeAt(related, "claim"), "identifier"), ["system", "value"]);
    },
    "2.0.1",
  ],
  [
    "Bundle.entry",
    "must hold the Claim and the one it updates, and no Claim before that",
    "structure",
    (request) => claimsIn(request).length === nodesAt(request.claim, "related").length + 1,
    "2.2.1",
  ],
  ["Bundle.entry", "must hold one Claim", "structure", (request) => claimsIn(request).length === 1, "2.0.1"],
  [
    "Claim.extension",
    "has certificationType on the whole Claim, which 2.0.1 does not know: cancel every item",
    "not-supported",
    ({ claim }) => certificationOf(claim) === undefined,
    "2.0.1",
  ],
];

function relationshipOf(claim: Node): string | undefined {
  return codeAt(nodesAt(claim, "related")[0] ?? {}, "relationship", codes.relatedClaim);
}

/** It is of the update profile, or flags what only an update has. */
function saysItUpdates(claim: Node): boolean {
  const profiles = nodeAt(claim, "meta")["profile"];
  const isProfiled =
    Array.isArray(profiles) && profiles.some((each) => String(each).split("|")[0] === profileUrls.claimUpdate);
  const rows = [...nodesAt(claim, "item"), ...nodesAt(claim, "supportingInfo")];
  const isFlagged = rows.some((row) => extensionAt(row, urls.infoChanged) !== undefined || isCancelled(row));
  return isProfiled || isFlagged || [claim, ...nodesAt(claim, "item")].some((each) => certificationOf(each) === "3");
}

function isCancelled(row: Node): boolean {
  return nodesAt(row, "modifierExtension").some(
    (each) => each["url"] === urls.infoCancelled && each["valueBoolean"] === true,
  );
}
