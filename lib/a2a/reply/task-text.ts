import { now } from "#lib/platform/now";
import type { TaskRecord, UnchangedTask } from "#lib/task/views";
import type { NextActor } from "#lib/messages/agent/status";
import { statusOf } from "./status.ts";
import { taskView, unchangedView } from "./task-view.ts";

/** A record that is returned again is the same object, so its text is made once. */
const texts = new WeakMap<TaskRecord | UnchangedTask, string>();

/** A task as agents read it, as JSON, and when to ask again. */
export function taskText(record: TaskRecord | UnchangedTask): string {
  let text = texts.get(record);
  if (text === undefined) {
    text = JSON.stringify("isUnchanged" in record ? unchangedView(record) : taskView(record));
    texts.set(record, text);
  }
  const gate = "isUnchanged" in record ? undefined : record.gate;
  const seconds = pollAfterSeconds(statusOf(record.task, gate).by, record.changedAt, now());
  if (seconds === undefined) return text;
  // Only this depends on the time of the reply. Before it are only ids, a state and a number.
  const at = text.indexOf(',"status":');
  return `${text.slice(0, at)},"pollAfterSeconds":${seconds}${text.slice(at)}`;
}

type Pace = { readonly least: number; readonly most: number };

/** In seconds, by who moves next; nobody polls what nobody changes. */
const paces: Readonly<Record<NextActor, Pace | undefined>> = {
  service: { least: 1, most: 10 },
  reviewer: { least: 10, most: 60 },
  payer: { least: 30, most: 300 },
  agent: { least: 60, most: 300 },
  none: undefined,
};

/**
 * After how many seconds a poll is worth its while: a tenth of the time the task has stood as it is, within what is usual
 * for whoever moves next. Undefined where nothing moves.
 */
export function pollAfterSeconds(by: NextActor, changedAt: Date, now: Date): number | undefined {
  const pace = paces[by];
  if (!pace) return undefined;
  const age = (now.getTime() - changedAt.getTime()) / 1_000;
  return Math.round(Math.min(pace.most, Math.max(pace.least, age / 10)));
}
