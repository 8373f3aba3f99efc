import type { Atom } from "#lib/access/model/actor";
import type { Reply, RequestId } from "#lib/platform/http/reply";

/**
 * For what an answer is held back, for how long at most, and how its task is read again then. It is plain data, since
 * another thread may say it.
 */
export type Wait = {
  readonly ms: number;
  /** Until the task changes, or until no more is under way: it has ended, or the agent moves next. */
  readonly until: "changed" | "settled";
  readonly reading: {
    readonly atom: Atom;
    readonly historyLength: number;
    readonly historyAfter?: string | undefined;
    readonly unlessVersion: number | undefined;
    readonly isAdvised?: boolean | undefined;
  };
};

/** The task of an answer that may be held back, as it was read. */
export type HeldAnswer = {
  readonly id: RequestId;
  readonly channelId: string;
  readonly taskId: string;
  readonly practiceId: string;
  readonly version: number;
  readonly wait: Wait;
};

/** The reply as of now, and for what it may be held back. */
export type AnsweredCall = { readonly reply: Reply; readonly held?: HeldAnswer | undefined };
