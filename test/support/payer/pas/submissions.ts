import type { RunningSimulator } from "#test/support/payer/simulator";
import {
  anUpdateOf,
  asOlderUpdate,
  cancel,
  certify,
  flag,
  resourceIn,
  rowOf,
  rowsOf,
  withDocument,
  type Json,
} from "./bundles.ts";

/** Where a bundle of each version is submitted. */
export const submitTo = { "2.2.1": "/fhir/Claim/$submit", "2.0.1": "/fhir-2.0.1/Claim/$submit" } as const;
export type Version = keyof typeof submitTo;
export const versions = ["2.2.1", "2.0.1"] as const;

/** Submits a bundle; `response` is the ClaimResponse of the answer, or the refusal. */
export async function submit({ post }: RunningSimulator, bundle: Json, version: Version = "2.2.1") {
  const { status, body } = await post(submitTo[version], bundle);
  return { status, body, response: status === 200 ? resourceIn(body, "ClaimResponse") : body };
}

/** The review action of every item that was answered. */
export function actionsOf(response: Json): (string | undefined)[] {
  return rowsOf(response, "item").map(
    (item) => /"(A1|A2|A3|A4|A6|C|CT|NA)"/.exec(JSON.stringify(item["adjudication"]))?.[1],
  );
}

/** Adds a document that was not there before, as an update does. */
export function addDocument(claim: Json, bundle: Json): void {
  withDocument(claim, bundle, { text: "the note", sequence: 1 });
  flag(rowOf(claim, "supportingInfo", 0), "added");
}

/** Sets the payer's clock forward. */
export function forward({ control }: RunningSimulator, forwardMs: number) {
  return control("POST", "clock", { forwardMs });
}

/** A request that takes back the whole of the one before, as each version has it. */
export function aVoidOf(before: Json, version: Version): Json {
  if (version === "2.2.1") return anUpdateOf(before, (claim) => certify(claim, "3"));
  return asOlderUpdate(
    anUpdateOf(before, (claim) => {
      for (const row of rowsOf(claim, "item")) cancel(row);
    }),
  );
}
