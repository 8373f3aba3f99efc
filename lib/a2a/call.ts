import type { Logger } from "pino";
import type { ChannelActor } from "#lib/access/model/actor";
import type { CallLimits, PrefetchResult } from "#lib/channel/store/admission";
import type { Store } from "#lib/db/db";
import type { RecordCache } from "#lib/task/record-cache";
import type { TaskWatch } from "#lib/task/task-watch";
import type { TaskRecord, UnchangedTask } from "#lib/task/views";
import type { Arrival } from "#lib/platform/http/arrival";
import type { LongCallThread } from "./long-call-thread.ts";
import type { AnsweredFigures } from "#lib/platform/metrics/instruments";
import type { CallBook } from "./admit/call-book.ts";
import type { RequestId } from "#lib/platform/http/reply";
import type { Finding } from "./envelope/inspect.ts";
import type { LeaveCall, Load } from "./admit/load.ts";
import type { RequestedAccess } from "./params/requested-access.ts";
import type { Method, Command } from "./methods.ts";
import type { CallError } from "./reply/faults.ts";
import type { AnsweredCall } from "./wait.ts";

/** The parts of this process that serving a call needs. */
export type Deps = {
  readonly store: Store;
  readonly load: Load;
  readonly book: CallBook;
  readonly log: Logger;
  /** The last answers to polls. Without it, every task is read anew. */
  readonly records?: RecordCache | undefined;
  /** Answers calls with long bodies or large stored files. Without it, this thread answers them. */
  readonly longCallThread?: LongCallThread | undefined;
  /** The address of the page that explains errors. */
  readonly help?: string | undefined;
  /** Told of each answered call; where it is not given, the call is counted in this thread. */
  readonly onAnswered?: ((answered: AnsweredFigures) => void) | undefined;
  /** Whether this successful read is logged. Without it, every one is. */
  readonly isReadLogged?: (() => boolean) | undefined;
  /** Tells of changes of tasks. Without it, no answer is held back. */
  readonly watch?: TaskWatch | undefined;
};

/** What each check adds to a call. */
export type CallArrival = { readonly arrival: Arrival; readonly deps: Deps };
export type CallBody = { readonly bytes: Uint8Array; readonly releaseBody: () => void };
export type CallJson = { readonly json: object; readonly findings: readonly Finding[] };
export type CallEnvelope = { readonly id: RequestId; readonly method: string; readonly params: unknown };
export type CallAdmission = {
  readonly actor: ChannelActor;
  readonly limits: CallLimits;
  readonly prefetched: PrefetchResult | undefined;
};
/** How many stored bytes the answer may open. */
export type CallWeight = { readonly openedBytes: number };
export type CallTurn = { readonly endTurn: () => void };
export type CallSlot = { readonly leave: LeaveCall };
export type CallMethod = { readonly row: Method };
export type CallCommand = { readonly command: Command };
/** What it names, kept where its params are not. */
export type CallRequested = { readonly requested: RequestedAccess };
export type CallResult = { readonly record: TaskRecord | UnchangedTask };

/** For how long its answer was held back. */
export type CallHeld = { readonly heldMs: number };

/** A call with what its checks have added so far, when it began by `performance.now()`, and the name of its reply. */
export type NamedCall = {
  readonly call: CallArrival &
    Partial<CallBody & CallEnvelope & CallAdmission & CallSlot & CallTurn & CallCommand & CallHeld & CallRequested>;
  readonly began: number;
  readonly requestId: string;
};

/** What a call comes to: the task it is answered with, an error, or a reply that another thread made, counted and logged. */
export type Outcome =
  | { readonly passed: PassedCall; readonly isNoted?: true | undefined }
  | { readonly refused: CallError; readonly isNoted?: true | undefined }
  | AnsweredCall;

export type PassedCall = Pick<CallEnvelope, "id"> & CallAdmission & CallResult & Partial<CallCommand>;
