import { now } from "#lib/platform/now";
import type { TaskRecord, UnchangedTask } from "#lib/task/views";
import { pollAfterSeconds } from "./poll-after.ts";
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
  const seconds = pollAfterSeconds(statusOf(record.task).by, record.changedAt, now());
  if (seconds === undefined) return text;
  // Only this depends on the time of the reply. Before it are only ids, a state and a number.
  const at = text.indexOf(',"status":');
  return `${text.slice(0, at)},"pollAfterSeconds":${seconds}${text.slice(at)}`;
}
