import { createHash } from "node:crypto";
import type { Case } from "./cases.ts";
import { nodesAt, textAt, type Node } from "./json.ts";
import type { Request } from "./request.ts";

/** One accepted submission or inquiry, and how often exactly it came. */
export type LedgerEntry = {
  readonly at: string;
  readonly method: "POST";
  readonly path: string;
  readonly sha256: string;
  readonly trace: string | undefined;
  readonly memberId: string;
  readonly state: string;
  readonly actions: readonly string[];
  readonly times: number;
  readonly bundleId: string;
  readonly reference: string | undefined;
  readonly authorizationNumber: string | undefined;
};

export type Inquired = Pick<LedgerEntry, "at" | "sha256" | "trace" | "memberId" | "times" | "bundleId">;

/** A submission as the ledger shows it, in the state the case has now. */
export function submissionEntry(of: Case): LedgerEntry {
  return {
    at: of.receivedAt,
    method: "POST",
    path: "/fhir/Claim/$submit",
    sha256: of.sha256,
    trace: textAt(of.trace, "value"),
    memberId: of.memberId,
    state: of.state,
    actions: of.items.map(({ action }) => action),
    times: of.times,
    bundleId: of.bundleId,
    reference: of.reference,
    authorizationNumber: of.authorizationNumber,
  };
}

/** An inquiry as the ledger shows it: counted by trace number, the latest body's digest beside it. */
export function inquiryEntry(inquired: Inquired): LedgerEntry {
  return {
    ...inquired,
    method: "POST",
    path: "/fhir/Claim/$inquire",
    state: "inquired",
    actions: [],
    reference: undefined,
    authorizationNumber: undefined,
  };
}

/** What to remember of one inquiry. */
export function inquired({
  request,
  body,
  memberId,
  at,
}: {
  request: Request;
  body: Uint8Array;
  memberId: string;
  at: Date;
}): Inquired {
  const identifier: Node = nodesAt(request.claim, "identifier")[0] ?? {};
  return {
    at: at.toISOString(),
    sha256: createHash("sha256").update(body).digest("hex"),
    trace: textAt(identifier, "value"),
    memberId,
    times: 1,
    bundleId: textAt(request.bundle["identifier"] as Node, "value") ?? "",
  };
}
