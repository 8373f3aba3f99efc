import type { Logger } from "pino";
import type { ChannelActor } from "#lib/access/model/actor";
import type { CallLimits, PrefetchResult } from "#lib/channel/store/admission";
import type { Store } from "#lib/db/db";
import type { TaskRecord } from "#lib/task/views";
import type { Arrival } from "#lib/platform/http/arrival";
import type { LongCallThread } from "./long-call-thread.ts";
import type { CallBook } from "./admit/call-book.ts";
import type { RequestId } from "#lib/platform/http/reply";
import type { Finding } from "./envelope/inspect.ts";
import type { Load } from "./admit/load.ts";
import type { Method, Command } from "./methods.ts";

/** The parts of this process that serving a call needs. */
export type Deps = {
  readonly store: Store;
  readonly load: Load;
  readonly book: CallBook;
  readonly log: Logger;
  /** Answers calls with long bodies or large stored files. Without it, this thread answers them. */
  readonly longCallThread?: LongCallThread | undefined;
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
export type CallSlot = { readonly leave: () => void };
export type CallMethod = { readonly row: Method };
export type CallCommand = { readonly run: Command };
export type CallResult = { readonly record: TaskRecord };
