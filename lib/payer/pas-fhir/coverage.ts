import { differ } from "#lib/payer/agreed-value";
import { addressIn } from "./providers.ts";
import {
  coverageSchema,
  kindSchema,
  type ClaimResponse,
  type Coverage,
  type Entries,
  type Reference,
} from "./resources.ts";

/** The coverage of a request, as far as an answer's is told apart from it. */
export type RequestedCoverage = {
  readonly url: string;
  readonly subscriberId: string | undefined;
  /** Group and plan, by the type of the class. */
  readonly classes: ReadonlyMap<string, string>;
};

/** The coverages that a bundle brings, by address; undefined for one that cannot be read. */
export type Coverages = ReadonlyMap<string, Coverage | undefined>;

export function coveragesIn(entries: readonly Entries[number][]): Coverages {
  return new Map(
    entries.flatMap(({ fullUrl, resource }) => {
      const isCoverage = kindSchema.safeParse(resource).data?.resourceType === "Coverage";
      return isCoverage && fullUrl !== undefined ? [[fullUrl, coverageSchema.safeParse(resource).data] as const] : [];
    }),
  );
}

/** The coverage of a request of ours that stands at this address. */
export function requestedCoverage(
  url: string | undefined,
  entries: readonly Entries[number][],
): RequestedCoverage | undefined {
  const found = url === undefined ? undefined : coveragesIn(entries).get(url);
  if (url === undefined || !found) return undefined;
  return { url, subscriberId: found.subscriberId, classes: classesOf(found) };
}

/**
 * Whether a payer decided under another coverage than the requested one. FHIR: "One coverage (and only one) with
 * 'focal=true' is to be used in the adjudication of this claim". One that the answer names by an address of the payer's own
 * and does not bring says nothing; one that it brings and that cannot be read may be another.
 */
export function isOtherCoverage(requested: RequestedCoverage | undefined, response: ClaimResponse, brought: Coverages) {
  if (!requested) return false;
  const focal = (response.insurance ?? []).filter((each) => each.focal === true);
  if (focal.length > 1) return true;
  return focal.some(({ coverage }) => isOther(requested, coverage, brought));
}

function isOther(requested: RequestedCoverage, named: Reference | undefined, brought: Coverages): boolean {
  const url = named?.reference;
  if (url === undefined || url === requested.url) return false;
  const at = addressIn(brought.keys(), url);
  if (at === undefined) return url.startsWith("urn:uuid:") || url.startsWith("#");
  const found = brought.get(at);
  if (found?.status !== "active") return true;
  if (differ(found.subscriberId, requested.subscriberId)) return true;
  return [...classesOf(found)].some(([type, value]) => differ(value, requested.classes.get(type)));
}

function classesOf({ class: classes = [] }: Coverage): ReadonlyMap<string, string> {
  return new Map(
    classes.flatMap(({ type, value }) => {
      const code = type?.coding?.find((each) => each.code !== undefined)?.code;
      return code === undefined || value === undefined ? [] : [[code, value] as const];
    }),
  );
}
