import type { ChannelActor } from "#lib/access/model/actor";
import type { Result } from "#lib/platform/result";
import type { PrefetchResult, Prefetch } from "#lib/channel/store/admission";
import type { Store } from "#lib/db/db";
import { cancelTask } from "#lib/task/cancel-task";
import { getTask } from "#lib/task/get-task";
import type { Issue, Refusal } from "#lib/task/refusal";
import { sendMessage } from "#lib/task/send-message";
import type { TaskRecord } from "#lib/task/views";
import { parseSend } from "./params/send-params.ts";
import { parseCancel, parseGet, wantedHistory, wantedTask } from "./params/task-params.ts";
import { prefetchForParams } from "./params/prefetch.ts";

/** A call whose params are understood, waiting for its verb. */
export type Run = (caller: Caller) => Promise<Result<TaskRecord, Refusal>>;

type Caller = { readonly actor: ChannelActor; readonly store: Store; readonly prefetched: PrefetchResult | undefined };

export type Method = {
  /** What to read along with the credential, guessed from params nobody has checked yet. */
  readonly wanted?: (params: unknown) => Prefetch | undefined;
  readonly prepare: (params: unknown) => Result<Run, readonly Issue[]>;
};

type Parse<Params> = (params: unknown) => Result<Params, readonly Issue[]>;

/** The methods we serve. A new one is a row here, with its params and its verb. */
const methods = {
  "message/send": {
    wanted: prefetchForParams,
    prepare: preparing(parseSend, (caller, sent) => sendMessage(caller, sent)),
  },
  "tasks/get": {
    wanted: wantedHistory,
    prepare: preparing(parseGet, ({ prefetched, ...ctx }, wanted) => getTask(ctx, { ...wanted, prefetched })),
  },
  "tasks/cancel": {
    wanted: wantedTask,
    prepare: preparing(parseCancel, ({ prefetched, ...ctx }, named) => cancelTask(ctx, { ...named, prefetched })),
  },
} as const satisfies Readonly<Record<string, Method>>;

export function methodNamed(name: string): Method | undefined {
  return Object.hasOwn(methods, name) ? methods[name as keyof typeof methods] : undefined;
}

function preparing<Params>(
  parse: Parse<Params>,
  verb: (caller: Caller, params: Params) => ReturnType<Run>,
): Method["prepare"] {
  return (params) => {
    const parsed = parse(params);
    if (!parsed.ok) return parsed;
    return { ok: true, value: (caller) => verb(caller, parsed.value) };
  };
}
