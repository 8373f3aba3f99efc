import { LRUCache } from "lru-cache";
import { now } from "#lib/platform/now";
import type { VersionRow } from "#lib/task/store/task-rows";
import type { TaskRecord } from "./views.ts";

/** A poll: one key, one task, and how much history. */
export type RecordQuery = { readonly keyId: string; readonly taskId: string; readonly historyLength: number };

/**
 * The last answers to polls, in the memory of this process, so that a task that did not change is not read again. Whether
 * the key still reaches the task, and whether the task has changed, is asked of the database for each poll.
 */
export type RecordCache = {
  /** The last answer to this poll. Return it only if it `isCurrent`. */
  readonly find: (query: RecordQuery) => TaskRecord | undefined;
  readonly keep: (query: RecordQuery, record: TaskRecord) => void;
};

/** These are patients' data: keep no more of them, and no longer, than polls need. */
const bytesMax = 64 * 1024 * 1024;
const keptMs = 10 * 60_000;
const purgeEveryMs = 60_000;

/** An estimate for the description of one attachment in a reply. */
const attachmentBytes = 300;

export function createRecordCache(): RecordCache {
  const records = new LRUCache<string, TaskRecord>({
    maxSize: bytesMax,
    sizeCalculation: bytesOf,
    ttl: keptMs,
    updateAgeOnGet: true,
    ttlResolution: 1_000,
  });
  setInterval(() => records.purgeStale(), purgeEveryMs).unref();
  return {
    find: (query) => {
      const record = records.get(nameOf(query));
      return record && isTimeless(record) ? record : undefined;
    },
    keep: (query, record) => {
      if (isTimeless(record)) records.set(nameOf(query), record);
    },
  };
}

/** Whether this record still describes the task. */
export function isCurrent({ version, changedAt, clockSettings }: TaskRecord, row: VersionRow): boolean {
  return (
    row.version === version &&
    // In a restored database, the same version may be another change.
    row.changed_at.getTime() === changedAt.getTime() &&
    row.time_zone === (clockSettings?.timeZone ?? null) &&
    row.line_of_business === (clockSettings?.lineOfBusiness ?? null)
  );
}

/**
 * Whether time alone does not change it. Advice depends on the day, the payer's deadline may have passed, and what the
 * archive lost may be brought back.
 */
function isTimeless({ advice, clock, historyLost = 0 }: TaskRecord): boolean {
  if (advice || historyLost > 0) return false;
  return !clock?.legal.known || clock.stoppedAt !== undefined || clock.legal.overdue || clock.legal.dueAt > now();
}

function nameOf({ keyId, taskId, historyLength }: RecordQuery): string {
  return `${keyId} ${taskId} ${historyLength}`;
}

/** An estimate that includes the text of the reply. */
function bytesOf({ messages = [], files, determination, superseded, attachments }: TaskRecord): number {
  const parts = [...messages, ...(files?.values() ?? [])].reduce((bytes, { length }) => bytes + length, 0);
  const decided = determination ? JSON.stringify([determination, superseded]).length : 0;
  return 8_192 + 3 * (parts + decided + attachmentBytes * attachments.length);
}
