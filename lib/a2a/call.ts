import type { Logger } from "pino";
import type { ChannelActor } from "#lib/access/model/actor";
import type { CallLimits, PrefetchResult } from "#lib/channel/store/admission";
import type { Store } from "#lib/db/db";
import type { TaskRecord } from "#lib/task/views";
import type { Arrival } from "#lib/platform/http/arrival";
import type { Aside } from "./aside.ts";
import type { CallBook } from "./admit/call-book.ts";
import type { RequestId } from "./reply/faults.ts";
import type { Finding } from "./envelope/inspect.ts";
import type { Load } from "./admit/load.ts";
import type { Method, Run } from "./methods.ts";

/** What serving needs from this process. */
export type Deps = {
  readonly store: Store;
  readonly load: Load;
  readonly book: CallBook;
  readonly log: Logger;
  /** Answers calls with long bodies; where there is none, they are answered here. */
  readonly aside?: Aside | undefined;
};

/** What each rung of the ladder adds to a call. */
export type CallArrival = { readonly arrival: Arrival; readonly deps: Deps };
export type CallBody = { readonly bytes: Uint8Array; readonly endLong: () => void };
export type CallJson = { readonly json: object; readonly findings: readonly Finding[] };
export type CallEnvelope = { readonly id: RequestId; readonly method: string; readonly params: unknown };
export type CallAdmission = {
  readonly actor: ChannelActor;
  readonly limits: CallLimits;
  readonly prefetched: PrefetchResult | undefined;
};
export type CallPlace = { readonly leave: () => void };
export type CallMethod = { readonly row: Method };
export type CallCommand = { readonly run: Run };
export type CallResult = { readonly record: TaskRecord };
