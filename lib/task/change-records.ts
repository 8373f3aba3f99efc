import type { RequestedWebhook } from "#lib/channel/webhook/model/requested-webhook";
import { saveTaskWebhook } from "#lib/channel/webhook/store/task-webhooks";
import { insertMessage, type KeptMessage } from "#lib/task/store/messages";
import { keepFiles, listFiles, type RevisionFiles } from "#lib/task/store/attachments";
import { keepDecision, type DecisionKey, type KeptDecision } from "#lib/gate/store/decision-keys";
import {
  insertNote,
  insertPayerInquiryNote,
  insertRecourseNote,
  type UnconfirmedResolution,
} from "#lib/submission/store/payer-inquiry-notes";
import { markHeard, type HeardPush } from "#lib/submission/store/heard-pushes";
import type { RecourseNote } from "#lib/submission/store/recourse-notes";
import { keepUnread, saveReport, type PayerReport } from "#lib/submission/payer-event";
import type { ReceivedFile } from "#lib/task/model/attachment";
import type { LoadedTask } from "#lib/task/store/load-task";

/** What is stored with a change in addition to what follows from its events. */
export type ChangeRecord =
  /** The message that asked for the change. A copy of it may have come first. */
  | { readonly type: "message"; readonly message: KeptMessage }
  /** Where its channel wants further changes told. */
  | { readonly type: "webhook"; readonly webhook: RequestedWebhook & { readonly channelId: string } }
  /** The files of a new revision. */
  | { readonly type: "files"; readonly files: RevisionFiles }
  /** A payer's letter: a file of the task that belongs to no revision, so it is not submitted to a payer. */
  | { readonly type: "letter"; readonly letter: ReceivedFile }
  | { readonly type: "payer-report"; readonly report: PayerReport }
  /** An answer to an inquiry that was not understood, for a person to look at. */
  | { readonly type: "unread-answer"; readonly bytes: Uint8Array }
  /** What a person bases a record on. */
  | { readonly type: "note"; readonly kind: string; readonly text: string }
  | { readonly type: "inquiry-note"; readonly note: UnconfirmedResolution }
  /** `at`: when a peer-to-peer review is or was. */
  | { readonly type: "recourse-note"; readonly note: RecourseNote; readonly at?: Date | undefined }
  /** The payer's notification that this change answers. */
  | { readonly type: "heard-push"; readonly push: HeardPush }
  /** The key of a form, so that its decision is made once. A copy of the request may have come first. */
  | { readonly type: "decision-key"; readonly key: DecisionKey; readonly decision: KeptDecision };

/** Writes the records. False if a copy was written first. */
export async function saveRecords(loaded: LoadedTask, records: readonly ChangeRecord[]): Promise<boolean> {
  for (const record of records) if (!(await saveRecord(loaded, record))) return false;
  return true;
}

async function saveRecord(loaded: LoadedTask, record: ChangeRecord): Promise<boolean> {
  const { tx, row } = loaded;
  const place = { taskId: row.id, practiceId: row.practice_id };
  switch (record.type) {
    case "message":
      return insertMessage(tx, record.message);
    case "webhook":
      await saveTaskWebhook(tx, { ...record.webhook, ...place });
      return true;
    case "files":
      await keepFiles(tx, record.files);
      await listFiles(tx, record.files);
      return true;
    case "letter":
      await keepFiles(tx, { ...place, received: [record.letter], at: row.now });
      return true;
    case "payer-report":
      await saveReport(loaded, record.report);
      return true;
    case "unread-answer":
      await keepUnread(loaded, record.bytes);
      return true;
    case "note":
      await insertNote(loaded, record);
      return true;
    case "inquiry-note":
      await insertPayerInquiryNote(loaded, record.note);
      return true;
    case "recourse-note":
      await insertRecourseNote(loaded, record.note, record.at);
      return true;
    case "heard-push":
      await markHeard(tx, record.push, { practiceId: row.practice_id, at: row.now });
      return true;
    case "decision-key":
      return keepDecision(tx, record.key, { ...record.decision, practiceId: row.practice_id, at: row.now });
  }
}
