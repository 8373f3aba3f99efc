import { createHash, randomUUID } from "node:crypto";
import { repeatedRequest, type Case } from "./case.ts";
import type { Clock } from "./clock.ts";
import type { Message } from "./ledger.ts";
import type { Attachment, Rejection, SentMessage } from "./review.ts";
import type { Store } from "./store.ts";

export type DoorResult =
  /** The case as it stands now. `message.rejection` says why an update or void was refused. */
  | { readonly type: "case"; readonly case: Case; readonly message: Message }
  /** The same identity with other content: the payer keeps what it has. */
  | { readonly type: "conflict" };

/** What becomes of a case by a message that was not here before. */
export type Outcome = {
  readonly case: Case;
  readonly attachments: readonly Attachment[];
  readonly rejection: Rejection | undefined;
};

type Act = (opening: { readonly id: string; readonly at: Date }) => Outcome;

/**
 * Takes a message exactly once: the same identity and bytes again are counted
 * and answered with the case as it stands now. A request that was rejected is no
 * case, so a corrected one under the same identity is taken.
 */
export function takeMessage(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  { sent, kind, act }: { readonly sent: SentMessage; readonly kind: Message["kind"]; readonly act: Act },
): DoorResult {
  const at = clock.now();
  const identity = sent.identity ?? randomUUID();
  const known = store.message(sent.face, identity);
  const knownCase = known && store.cases.get(known.caseId);
  if (known && knownCase && known.sha256 === sent.sha256) {
    const message = { ...known, times: known.times + 1 };
    const next = known.kind === "request" ? repeatedRequest(knownCase, message.times, at) : knownCase;
    return kept(store, { case: next, message });
  }
  const isCorrected = kind === "request" && known?.kind === "request" && knownCase?.state === "rejected";
  if (known && !isCorrected) return { type: "conflict" };
  const { case: next, attachments, rejection } = act({ id: known?.caseId ?? uuidOf(`${sent.face} ${identity}`), at });
  const about = { caseId: next.id, memberId: next.memberId, at: at.toISOString(), times: 1 };
  return kept(store, { case: next, message: { ...sent, ...about, identity, kind, attachments, rejection } });
}

function kept(store: Store, change: { readonly case: Case; readonly message: Message }): DoorResult {
  store.keep(change);
  return { type: "case", ...change };
}

function uuidOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
