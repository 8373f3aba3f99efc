import { denyingRule } from "#lib/channel/model/authority";
import { recordChannelDenials } from "#lib/channel/store/channel-denials";
import { callFacts, type KnownCall } from "#lib/channel/store/call-facts";
import {
  addMinutes,
  callsMax,
  keepCalls,
  keepDenials,
  markUsed,
  type Denial,
  type ListedCall,
} from "#lib/channel/store/call-records";
import { newId } from "#lib/db/new-id";
import { noChannel } from "#lib/access/model/no-channel";
import type { Store } from "#lib/db/db";
import { openDeniedCalls, type DeniedCall } from "./denied-calls.ts";
import { isUuid } from "#lib/platform/uuid";

/** Counts of calls, kept in memory and written every few seconds, so that no call waits for the writing. */
export type CallBook = {
  readonly countCall: (call: { channelId: string; keyId: string | undefined; at: Date }) => void;
  readonly countDenial: (call: DeniedCall) => void;
  /** Keeps a call that was let in for the list of its channel. */
  readonly listCall: (call: ListedCall) => void;
  /** Writes now what is not written yet, such as at the end of the process. */
  readonly write: () => Promise<void>;
};

const writeEveryMs = 5_000;

/** Most calls that one writing keeps, over all channels; the list of a channel has at most `callsMax` of them. */
const listedMax = 2_000;

type Counts = Map<string, { readonly channelId: string; readonly minute: Date; calls: number; denied: number }>;

/**
 * Counts calls by channel and minute, notes when each key was last used, and keeps the denials with their true reason. The
 * reason is looked up at the writing, so that a denied call takes the same time whatever its reason.
 */
export function openCallBook(store: Store, onError: (error: unknown) => void): CallBook {
  let counts: Counts = new Map();
  let used = new Map<string, Date>();
  let denials = openDeniedCalls();
  let listed = newestOfEach();
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function writeLater(): void {
    timer ??= setTimeout(() => void write().catch(onError), writeEveryMs).unref();
  }

  async function writeNow(): Promise<void> {
    const [minutes, keys, denied, calls] = [counts, used, denials.all(), listed.all()];
    [counts, used, denials, listed] = [new Map(), new Map(), openDeniedCalls(), newestOfEach()];
    clearTimeout(timer);
    timer = undefined;
    const known = denied.length === 0 ? [] : await callFacts(store, denied);
    for (const [index, { at, channelId }] of denied.entries()) {
      count(minutes, known[index]?.channelId ?? channelId ?? noChannel, at).denied += 1;
    }
    if (minutes.size > 0) await addMinutes(store, [...minutes.values()]);
    if (keys.size > 0) await markUsed(store, keys);
    const found = denied.flatMap((call, index) => denialsOf(call, known[index]));
    await keepDenials(store, found);
    await recordChannelDenials(store, { denials: found, minutes: [...minutes.values()] });
    // The last, since nothing on record depends on it.
    await keepCalls(store, calls);
  }

  function write(): Promise<void> {
    writing = (writing ?? Promise.resolve()).catch(() => undefined).then(writeNow);
    return writing;
  }

  return {
    countCall: ({ channelId, keyId, at }) => {
      count(counts, channelId, at).calls += 1;
      if (keyId !== undefined) used.set(keyId, at);
      writeLater();
    },
    countDenial: (call) => {
      if (!denials.add(call)) count(counts, call.channelId ?? noChannel, call.at).denied += 1;
      writeLater();
    },
    listCall: (call) => {
      listed.add(call);
      writeLater();
    },
    write,
  };
}

/** The newest calls of each channel, of all of them at most `listedMax`: what comes beyond is counted and not listed. */
function newestOfEach() {
  const lists = new Map<string, ListedCall[]>();
  let size = 0;
  return {
    add: (call: ListedCall) => {
      const list = lists.get(call.channelId) ?? [];
      if (list.length >= callsMax) list.shift();
      else if (size >= listedMax) return;
      else size += 1;
      list.push(call);
      lists.set(call.channelId, list);
    },
    all: () => [...lists.values()].flat(),
  };
}

function count(counts: Counts, channelId: string, at: Date) {
  const minute = new Date(Math.floor(at.getTime() / 60_000) * 60_000);
  const name = `${channelId} ${minute.getTime()}`;
  const existing = counts.get(name);
  if (existing) return existing;
  const created = { channelId, minute, calls: 0, denied: 0 };
  counts.set(name, created);
  return created;
}

/** Empty for a call of no known channel, since no page would show it. */
function denialsOf(call: DeniedCall, known: KnownCall | undefined): readonly Denial[] {
  if (!known) return [];
  const { at, atom, practiceId, taskId, keyId, address } = call;
  const { channelId, facts } = known;
  const rule =
    call.overLimit === true
      ? "limit"
      : (denyingRule(facts, { atom, practiceId }) ?? call.fallbackRule ?? "changed-since");
  return [
    {
      id: call.requestId ?? newId(),
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
