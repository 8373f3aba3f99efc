import { createAgenda } from "./agenda.ts";
import { opened, unauthorized, updated, voided, type Case } from "./case.ts";
import { createClock, type Clock } from "./clock.ts";
import { takeMessage, type Outcome, type DoorResult } from "./door.ts";
import { createInquiries, messageEntry, type Inquiry, type LedgerEntry, type Message } from "./ledger.ts";
import type { Attachment, Rejection, Review, SentMessage } from "./review.ts";
import type { Decision } from "./scenarios.ts";
import { createStore } from "./store.ts";

/** The simulated payer, whatever wire its requests come by. */
export type Payer = {
  /** A first request for review. */
  readonly receive: (review: Review, sent: SentMessage) => DoorResult;
  /** A full new version of a case's request. */
  readonly update: (of: Case, review: Review, sent: SentMessage) => DoorResult;
  /** The whole request is taken back. */
  readonly void: (of: Case, sent: SentMessage) => DoorResult;
  /** Cases by any number they ever had: id, trace or identity of what was not refused at once, reference, authorization number. */
  readonly find: (by: Search) => readonly Case[];
  readonly noteInquiry: (inquiry: Inquiry) => void;
  /** Decides every item of a case, now by the payer's clock. */
  readonly decide: (of: Case, decision: Decision) => Case;
  /** The message of a wire that came under this identity, with its case. */
  readonly taken: (
    by: Pick<Message, "face" | "identity">,
  ) => { readonly message: Message; readonly case: Case } | undefined;
  /** The messages that made a case, oldest first. */
  readonly messagesOf: (of: Case) => readonly Message[];
  readonly cases: () => readonly Case[];
  readonly ledger: () => readonly LedgerEntry[];
  readonly clock: Clock;
  /** Told of every case that changed without a message of its requester. */
  readonly onDecided: (listener: (of: Case) => void) => void;
};

type Search = {
  /** Any of them; every case of the member where absent. */
  readonly numbers?: readonly (string | undefined)[] | undefined;
  readonly memberId?: string;
  readonly face?: string;
};

/** Makes a payer; with a file, it remembers its cases across restarts. What was due is decided before anything is answered. */
export function createPayer({ file }: { readonly file?: string | undefined } = {}): Payer {
  const store = createStore(file);
  const inquiries = createInquiries();
  const clock = createClock();
  const agenda = createAgenda(store, clock);
  const settled = <Answer>(answer: () => Answer): Answer => {
    agenda.settle();
    const given = answer();
    agenda.settle();
    return given;
  };
  const take = (message: Parameters<typeof takeMessage>[1]) => settled(() => takeMessage({ store, clock }, message));
  const messagesOf = ({ id }: Case) => store.messagesOf(id);
  const fresh = (of: Case) => store.cases.get(of.id) ?? of;
  const numbersOf = (of: Case) => [
    ...[of.id, of.reference, of.authorizationNumber],
    ...messagesOf(of).flatMap(({ trace, identity, rejection }) =>
      rejection && identity !== of.refusal?.identity ? [] : [trace ?? "", identity],
    ),
  ];
  const cases = () => settled(() => [...store.cases.values()]);
  return {
    receive: (review, sent) =>
      take({
        sent,
        kind: "request",
        act: (opening) => first(continued(opened(review, { ...opening, sent }), store.cases), review),
      }),
    update: (of, review, sent) =>
      take({
        sent,
        kind: "update",
        act: ({ at }) => changed(fresh(of), (now) => updated(now, review, at), review.attachments),
      }),
    void: (of, sent) => take({ sent, kind: "void", act: ({ at }) => changed(fresh(of), (now) => voided(now, at), []) }),
    find: ({ numbers, memberId, face }) =>
      cases().filter(
        (of) =>
          (memberId ?? of.memberId) === of.memberId &&
          (face ?? of.face) === of.face &&
          (numbers === undefined || numbersOf(of).some((number) => number !== "" && numbers.includes(number))),
      ),
    noteInquiry: (inquiry) => inquiries.note(inquiry, clock.now()),
    decide: (of, decision) => settled(() => agenda.decide(fresh(of), decision, clock.now())),
    taken: ({ face, identity }) => {
      const message = store.message(face, identity);
      const of = message && store.cases.get(message.caseId);
      return message && of && { message, case: of };
    },
    messagesOf,
    cases,
    ledger: () => {
      const entries = cases().flatMap((of) => messagesOf(of).map((message) => messageEntry(message, of)));
      return [...entries, ...inquiries.entries()];
    },
    clock: { now: clock.now, set: (to) => settled(() => clock.set(to)) },
    onDecided: agenda.onDecided,
  };
}

/**
 * What a renewal or an extension goes on from must be an authorization of the same member (X12 901: AA). A number that is
 * not of this payer's form is of before its cases were kept.
 */
function continued(of: Case, cases: ReadonlyMap<string, Case>): Case {
  const { memberId, review } = of;
  const isKnown = (number: string) =>
    !/^AUTH-[0-9A-F]{10}$/.test(number) ||
    [...cases.values()].some((other) => other.authorizationNumber === number && other.memberId === memberId);
  return (review.continues ?? []).every(isKnown) ? of : unauthorized(of);
}

function first(of: Case, { attachments }: Review): Outcome {
  return { case: of, attachments, rejection: undefined };
}

/** A refused change leaves the case as it was. */
function changed(of: Case, change: (now: Case) => Case | Rejection, attachments: readonly Attachment[]): Outcome {
  const next = change(of);
  return "reject" in next
    ? { case: of, attachments, rejection: next }
    : { case: next, attachments, rejection: undefined };
}
