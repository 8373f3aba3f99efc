import type { Atom } from "#lib/access/model/actor";
import { ruleAgainst, type DenialRule } from "#lib/channel/model/authority";
import { recordChannelDenials } from "#lib/channel/store/channel-denials";
import { callFacts, type KnownCall } from "#lib/channel/store/call-facts";
import { addMinutes, forgetMinutes, keepDenials, markUsed, type Denial } from "#lib/channel/store/call-records";
import { noChannel } from "#lib/access/model/no-channel";
import type { Store } from "#lib/db/db";
import { isUuid } from "#lib/task/store/load-task";

/** A call that was turned away, as far as it is known at that moment. */
export type DeniedCall = {
  readonly at: Date;
  /** Where the credential was good. */
  readonly channelId?: string | undefined;
  readonly keyId?: string | undefined;
  readonly secretHash?: Uint8Array | undefined;
  readonly address?: string | undefined;
  readonly atom?: Atom | undefined;
  readonly practiceId?: string | undefined;
  readonly taskId?: string | undefined;
  /** Over one of the channel's limits; otherwise why is found out later. */
  readonly overLimit?: boolean | undefined;
  /** What speaks against it where nothing else does. */
  readonly otherwise?: DenialRule | undefined;
};

/** What calls there were, kept in memory and written every few seconds, so that no call waits for it. */
export type CallBook = {
  readonly called: (call: { channelId: string; keyId: string | undefined; at: Date }) => void;
  readonly denied: (call: DeniedCall) => void;
  /** Writes what is not written yet; at the end of the process, or for whoever cannot wait. */
  readonly write: () => Promise<void>;
};

const writeEveryMs = 5_000;
const forgetEveryMs = 3_600_000;

/** Denials looked into in one writing; those beyond are counted, under no channel where none is known. */
const deniedMax = 500;

type Counts = Map<string, { readonly channelId: string; readonly minute: Date; calls: number; denied: number }>;

/**
 * Counts calls by channel and minute, when each key was last used, and the denials with their true reason, which is
 * looked up when it is written: the denial itself costs the same whatever the reason.
 */
export function openCallBook(store: Store, onError: (error: unknown) => void): CallBook {
  let counts: Counts = new Map();
  let used = new Map<string, Date>();
  let denials: DeniedCall[] = [];
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let forgotAt = 0;

  function writeLater(): void {
    timer ??= setTimeout(() => void write().catch(onError), writeEveryMs).unref();
  }

  async function writeNow(): Promise<void> {
    const [minutes, keys, asked] = [counts, used, denials];
    [counts, used, denials] = [new Map(), new Map(), []];
    clearTimeout(timer);
    timer = undefined;
    const known = asked.length === 0 ? [] : await callFacts(store, asked);
    for (const [index, { at, channelId }] of asked.entries()) {
      count(minutes, known[index]?.channelId ?? channelId ?? noChannel, at).denied += 1;
    }
    if (minutes.size > 0) await addMinutes(store, [...minutes.values()]);
    if (keys.size > 0) await markUsed(store, keys);
    const found = asked.flatMap((call, index) => reasoned(call, known[index]));
    await keepDenials(store, found);
    await recordChannelDenials(store, { denials: found, minutes: [...minutes.values()] });
    if (performance.now() - forgotAt < forgetEveryMs && forgotAt > 0) return;
    forgotAt = performance.now();
    await forgetMinutes(store);
  }

  function write(): Promise<void> {
    writing = (writing ?? Promise.resolve()).catch(() => undefined).then(writeNow);
    return writing;
  }

  return {
    called: ({ channelId, keyId, at }) => {
      count(counts, channelId, at).calls += 1;
      if (keyId !== undefined) used.set(keyId, at);
      writeLater();
    },
    denied: (call) => {
      if (denials.length < deniedMax) denials.push(call);
      else count(counts, call.channelId ?? noChannel, call.at).denied += 1;
      writeLater();
    },
    write,
  };
}

function count(counts: Counts, channelId: string, at: Date) {
  const minute = new Date(Math.floor(at.getTime() / 60_000) * 60_000);
  const name = `${channelId} ${minute.getTime()}`;
  const kept = counts.get(name);
  if (kept) return kept;
  const made = { channelId, minute, calls: 0, denied: 0 };
  counts.set(name, made);
  return made;
}

/** Nothing where no channel is behind it: then there is no page to show it on. */
function reasoned(call: DeniedCall, known: KnownCall | undefined): readonly Denial[] {
  if (!known) return [];
  const { at, atom, practiceId, taskId, keyId, address } = call;
  const { channelId, facts } = known;
  const rule =
    call.overLimit === true ? "limit" : (ruleAgainst(facts, { atom, practiceId }) ?? call.otherwise ?? "changed-since");
  return [
    {
      channelId,
      at,
      rule,
      atom,
      practiceId: facts.practice?.exists === true ? practiceId : facts.taskPracticeId,
      taskId: facts.taskPracticeId === undefined || !taskId || !isUuid(taskId) ? undefined : taskId,
      keyId,
      address,
    },
  ];
}
