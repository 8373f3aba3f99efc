import { isNode, nodeAt, nodesAt, textAt, type Node } from "#simulator/json";
import { broken, type Problem, type Rule } from "./request.ts";
import { topicUrl, profileUrls } from "./vocabulary.ts";
import type { PasVersion } from "./version.ts";

const backport = "http://hl7.org/fhir/uv/subscriptions-backport/StructureDefinition";
const filterUrl = `${backport}/backport-filter-criteria`;
const contentUrl = `${backport}/backport-payload-content`;

/** PAS profile-subscription over the R4 backport, as the official test kit reads it. */
const rules: readonly Rule<Node>[] = [
  [".resourceType", "must be Subscription", "invalid", (it) => it["resourceType"] === "Subscription"],
  [
    ".meta.profile",
    "must name the PAS Subscription profile",
    "required",
    (it) => profilesOf(it).some((profile) => profile.split("|")[0] === profileUrls.subscription),
    "2.2.1",
  ],
  [".status", "must be requested", "value", (it) => it["status"] === "requested"],
  [".reason", "must be there", "required", (it) => (textAt(it, "reason") ?? "") !== ""],
  [".criteria", "must be the PAS topic", "value", (it) => it["criteria"] === topicUrl],
  [
    "._criteria.extension",
    "must have one filter, orgIdentifier= or org-identifier= and what to look for",
    "required",
    (it) => filtersOf(it).length === 1 && organizationsOf(it).length > 0,
  ],
  [".channel.type", "must be rest-hook", "not-supported", (it) => nodeAt(it, "channel")["type"] === "rest-hook"],
  [".channel.endpoint", "must be an http or https address", "value", (it) => isAddress(endpointOf(it))],
  [
    ".channel.payload",
    "must be application/fhir+json",
    "not-supported",
    (it) => nodeAt(it, "channel")["payload"] === "application/fhir+json",
  ],
  [
    ".channel._payload.extension",
    "must ask for full-resource",
    "not-supported",
    (it) => valueAt(nodeAt(nodeAt(it, "channel"), "_payload"), contentUrl, "valueCode") === "full-resource",
  ],
  [".channel.header", "must be headers, name and value", "value", (it) => headersOf(it) !== undefined],
  [
    ".channel.extension",
    "asks for a heartbeat, which is not sent",
    "not-supported",
    (it) =>
      !nodesAt(nodeAt(it, "channel"), "extension").some(({ url }) => url === `${backport}/backport-heartbeat-period`),
  ],
];

/** What is wrong with a Subscription that a client wants. */
export function subscriptionProblems(value: unknown, version: PasVersion): readonly Problem[] {
  return broken(rules, isNode(value) ? value : {}, { under: "Subscription", version });
}

/** The sender's identifiers whose cases a Subscription is for. */
export function organizationsOf(subscription: Node): readonly string[] {
  const filter = filtersOf(subscription)[0] ?? "";
  const values = /^(?:orgIdentifier|org-identifier)=(\S+)$/.exec(filter)?.[1];
  return (values ?? "").split(",").filter((each) => each !== "");
}

export function endpointOf(subscription: Node): string {
  return textAt(nodeAt(subscription, "channel"), "endpoint") ?? "";
}

/** The headers a Subscription wants on every notification; undefined where they are none. */
export function headersOf(subscription: Node): Readonly<Record<string, string>> | undefined {
  const wanted = nodeAt(subscription, "channel")["header"] ?? [];
  if (!Array.isArray(wanted)) return undefined;
  const parted = wanted.map((each) => /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e]*)$/.exec(String(each)));
  return parted.every((each) => each !== null)
    ? Object.fromEntries(parted.map(([, name = "", value = ""]) => [name, value]))
    : undefined;
}

function filtersOf(subscription: Node): readonly string[] {
  return nodesAt(nodeAt(subscription, "_criteria"), "extension")
    .filter(({ url }) => url === filterUrl)
    .map((each) => textAt(each, "valueString") ?? "");
}

function valueAt(node: Node, url: string, name: string): string | undefined {
  const extension = nodesAt(node, "extension").find((each) => each["url"] === url);
  return extension && textAt(extension, name);
}

function profilesOf(node: Node): readonly string[] {
  const profiles = nodeAt(node, "meta")["profile"];
  return Array.isArray(profiles) ? profiles.filter((each) => typeof each === "string") : [];
}

function isAddress(endpoint: string): boolean {
  return /^https?:\/\/[^\s/]+/.test(endpoint) && URL.canParse(endpoint);
}
