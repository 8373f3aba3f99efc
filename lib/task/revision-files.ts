import { tooMuch, type Attachment } from "#lib/task/model/attachment";
import { ok, refuse, type Result } from "#lib/platform/result";
import type { Action, Digest } from "#lib/task/model/task";
import { loadAttachments, loadTaskFiles } from "#lib/task/store/attachments";
import type { Db, Tx } from "#lib/db/db";
import type { TaskRow } from "#lib/task/store/task-rows";
import { messageProblems } from "#lib/messages/problems/agent";
import type { InboundMessage } from "./inbound-message.ts";
import type { Issue, Refusal } from "./refusal.ts";

type Intake = Extract<InboundMessage["ask"], { skill: "prior_auth_intake" }>;

/**
 * The files of a new revision: those that stay from the previous one, then new ones from the message. Refused if
 * `keepAttachments` names a file that the task does not have now, or if there are too many files or bytes.
 */
export async function filesOfNext(
  tx: Tx,
  row: TaskRow,
  { dataPath }: InboundMessage,
  { files, keepAttachments }: Intake,
): Promise<Result<readonly Attachment[], Refusal>> {
  const place = { taskId: row.id, practiceId: row.practice_id, revision: row.revision };
  const known = await loadTaskFiles(tx, place);
  const before = known.flatMap(({ position, ...file }) => (position === undefined ? [] : [file]));
  const strange = unknownIssues(dataPath, keepAttachments, before);
  if (strange.length > 0) return refuse({ type: "invalid", issues: strange });
  const kept = before.filter(({ sha256 }) => keepAttachments?.includes(sha256) ?? true);
  const fresh = files.filter(({ sha256 }) => !kept.some((file) => file.sha256 === sha256));
  const added = fresh.map(
    ({ bytes: _, ...file }) =>
      known.find(({ sha256 }) => sha256 === file.sha256) ?? { ...file, since: row.revision + 1 },
  );
  const list = [...kept, ...added];
  const problem = tooMuch(list);
  return problem === undefined ? ok(list) : refuse({ type: "invalid", issues: [{ path: "/message/parts", problem }] });
}

/** What is wrong with the list of files that a message wants to keep. */
export function unknownIssues(
  dataPath: string,
  keep: readonly Digest[] | undefined,
  known: readonly Pick<Attachment, "sha256">[],
): readonly Issue[] {
  return (keep ?? []).flatMap((sha256, index) =>
    known.some((file) => file.sha256 === sha256)
      ? []
      : [{ path: `${dataPath}/keepAttachments/${index}`, problem: messageProblems.notAttachment }],
  );
}

/** The files that are submitted with an action on a revision. None with a void. */
export async function filesToSend(
  db: Db,
  row: TaskRow,
  { action, revision }: { readonly action: Action; readonly revision: number },
): Promise<readonly Attachment[]> {
  if (action === "void") return [];
  return loadAttachments(db, { taskId: row.id, practiceId: row.practice_id, revision });
}
