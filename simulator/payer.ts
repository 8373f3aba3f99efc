import { createCases, type Case, type Cases } from "./cases.ts";
import { createFaults, type Faults } from "./faults.ts";
import { extensionAt, nodesAt, textAt } from "./json.ts";
import { inquired, inquiryEntry, submissionEntry, type Inquired, type LedgerEntry } from "./ledger.ts";
import { memberIdOf } from "./party-rules.ts";
import { inquiryParameters, operationOutcome, responseBundle } from "./response.ts";
import type { Request } from "./request.ts";
import { checkInquiry, checkSubmission } from "./rules.ts";
import { urls } from "./vocabulary.ts";
import type { Node } from "./json.ts";

/** What the payer answers to one FHIR request, before any fault strikes. */
export type PayerReply = { readonly status: number; readonly body: Node; readonly accepted: boolean };

/** The simulated payer behind both its faces, the FHIR one and the control one. */
export type Payer = {
  readonly submit: (value: unknown, body: Uint8Array) => PayerReply;
  readonly inquire: (value: unknown, body: Uint8Array) => PayerReply;
  readonly ledger: () => readonly LedgerEntry[];
  readonly cases: Cases;
  readonly faults: Faults;
  readonly now: () => Date;
  /** Sets the payer's clock; it runs on from there. */
  readonly setClock: (now: Date) => void;
};

/** Makes a payer; with a file, it remembers its cases across restarts. */
export function createPayer({ file }: { readonly file?: string | undefined } = {}): Payer {
  const cases = createCases(file);
  const inquiries = new Map<string, Inquired>();
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  return {
    submit: (value, body) => {
      const checked = checkSubmission(value);
      if (!checked.ok) return refused(422, operationOutcome(checked.problems));
      const received = cases.receive(checked.request, body, now());
      return received.type === "case"
        ? { status: 200, body: responseBundle(received.case, now()), accepted: true }
        : conflict();
    },
    inquire: (value, body) => {
      const checked = checkInquiry(value);
      if (!checked.ok) return refused(422, operationOutcome(checked.problems));
      const memberId = memberIdOf(checked.request);
      const next = inquired({ request: checked.request, body, memberId, at: now() });
      const key = next.trace ?? next.bundleId;
      inquiries.set(key, {
        ...next,
        at: inquiries.get(key)?.at ?? next.at,
        times: (inquiries.get(key)?.times ?? 0) + 1,
      });
      return { status: 200, body: inquiryParameters(found(cases, checked.request, memberId), now()), accepted: true };
    },
    ledger: () => [...cases.all().map(submissionEntry), ...[...inquiries.values()].map(inquiryEntry)],
    cases,
    faults: createFaults(),
    now,
    setClock: (to) => (aheadMs = to.getTime() - Date.now()),
  };
}

/** Cases of exactly this member that any number in the example names. */
function found(cases: Cases, { claim }: Request, memberId: string): readonly Case[] {
  const numbers = [
    ...nodesAt(claim, "identifier").map((identifier) => textAt(identifier, "value")),
    ...nodesAt(claim, "item").map((item) => textAt(extensionAt(item, urls.reference) ?? {}, "valueString")),
  ];
  return cases.find({ memberId, numbers: numbers.filter((number) => number !== undefined) });
}

function conflict(): PayerReply {
  const text = "A request with this Bundle.identifier and other content is already here.";
  return refused(409, operationOutcome([{ code: "duplicate", text }]));
}

function refused(status: number, body: Node): PayerReply {
  return { status, body, accepted: false };
}
