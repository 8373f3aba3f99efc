import type { ChannelActor } from "#lib/access/model/actor";
import { ok, type Result } from "#lib/platform/result";
import type { PrefetchResult, Prefetch } from "#lib/channel/store/admission";
import type { Store } from "#lib/db/db";
import { cancelTask } from "#lib/task/cancel-task";
import { getTask } from "#lib/task/get-task";
import type { RecordCache } from "#lib/task/record-cache";
import type { Issue, Refusal } from "#lib/task/refusal";
import { sendMessage } from "#lib/task/send-message";
import type { TaskRecord, UnchangedTask } from "#lib/task/views";
import { parseSend } from "./params/send-params.ts";
import { parseCancel, parseGet, prefetchTaskHistory, prefetchTask, type PrefetchFrom } from "./params/task-params.ts";
import type { Wait } from "./wait.ts";
import { dataOf, memberAt } from "#lib/a2a/params/requested-access";

/** A parsed call that only needs its caller to run. */
export type Command = {
  readonly run: (caller: Caller) => Promise<Result<TaskRecord | UnchangedTask, Refusal>>;
  /** For what its answer may be held back. */
  readonly wait?: Wait | undefined;
};

type Caller = {
  readonly actor: ChannelActor;
  readonly store: Store;
  readonly records: RecordCache | undefined;
  readonly prefetched: PrefetchResult | undefined;
};

export type Method = {
  /** What to read together with the credential, guessed from params that are not checked yet. */
  readonly prefetch?: (params: unknown, from: PrefetchFrom) => Prefetch | undefined;
  readonly prepare: (params: unknown) => Result<Command, readonly Issue[]>;
};

type Parse<Params> = (params: unknown) => Result<Params, readonly Issue[]>;

/** The methods we serve. A new method is a row here, with its params and its verb. */
const methods = {
  "message/send": {
    prefetch: prefetchIntake,
    prepare: prepareWith(parseSend, ({ wait, ...sent }) => ({ run: (caller) => sendMessage(caller, sent), wait })),
  },
  "tasks/get": {
    prefetch: prefetchTaskHistory,
    prepare: prepareWith(parseGet, ({ wait, ...wanted }) => ({
      run: ({ prefetched, ...ctx }) => getTask(ctx, { ...wanted, prefetched }),
      wait,
    })),
  },
  "tasks/cancel": {
    prefetch: prefetchTask,
    prepare: prepareWith(parseCancel, (named) => ({
      run: ({ prefetched, ...ctx }) => cancelTask(ctx, { ...named, prefetched }),
    })),
  },
} as const satisfies Readonly<Record<string, Method>>;

export const methodNames: readonly string[] = Object.keys(methods);

export function methodNamed(name: string): Method | undefined {
  return Object.hasOwn(methods, name) ? methods[name as keyof typeof methods] : undefined;
}

function prepareWith<Params>(parse: Parse<Params>, command: (params: Params) => Command): Method["prepare"] {
  return (params) => {
    const parsed = parse(params);
    return parsed.ok ? ok(command(parsed.value)) : parsed;
  };
}

/**
 * The practice and payer that a new intake probably names, from params that are not checked yet. Undefined for a message
 * that continues a task, because the task may belong to another practice than the one it names.
 */
function prefetchIntake(params: unknown): Prefetch | undefined {
  const message = memberAt(params, "message");
  const data = dataOf(message);
  if (memberAt(message, "taskId") !== undefined || memberAt(data, "taskId") !== undefined) return undefined;
  const practiceId = memberAt(data, "practiceId");
  const payerId = memberAt(memberAt(memberAt(data, "serviceReview"), "payer"), "id");
  const both = typeof practiceId === "string" && typeof payerId === "string";
  return both && isPlain(practiceId) && isPlain(payerId) ? { practiceId, payerId } : undefined;
}

/** Postgres accepts no NUL, and no id is longer. */
function isPlain(text: string): boolean {
  return text.length <= 64 && !text.includes("\0") && text.isWellFormed();
}
