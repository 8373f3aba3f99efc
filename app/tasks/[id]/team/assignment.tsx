import { ActForm, ActSelect } from "#components/form/act-form";
import { PlainText } from "#components/text/plain-text";
import { SubmitButton } from "#components/form/submit-button";
import type { DeskView } from "#lib/queue/open-case";
import { assign } from "./desk-actions.ts";

type Props = {
  readonly taskId: string;
  readonly desk: Pick<DeskView, "assignee" | "reviewers">;
  /** The reader, whom it is offered to first. */
  readonly me: string;
};

/** Whose case it is, and the way to give it to somebody else. */
export function Assignment({ taskId, desk: { assignee, reviewers }, me }: Props) {
  const options = [{ value: "", text: "Unassigned" }, ...reviewers.map(({ id, name }) => ({ value: id, text: name }))];
  return (
    <details key={assignee?.id ?? "nobody"} data-hanging="" className="relative">
      <summary className="rounded-md text-ink-soft hover:text-ink">
        <Whose assignee={assignee} me={me} />
      </summary>
      <div className="absolute start-0 z-10 mt-1 w-64 rounded-md border border-line bg-surface p-3 shadow-lg">
        <ActForm act={assign} data-form="assign">
          <input type="hidden" name="taskId" value={taskId} />
          <input type="hidden" name="from" value={assignee?.id ?? ""} />
          <ActSelect name="to" label="Assign to" options={options} defaultValue={assignee?.able ? assignee.id : me} />
          <SubmitButton wide>Assign</SubmitButton>
        </ActForm>
      </div>
    </details>
  );
}

function Whose({ assignee, me }: { readonly assignee: DeskView["assignee"]; readonly me: string }) {
  if (!assignee) return "Unassigned";
  if (assignee.id === me) return "Assigned to you";
  const name = <PlainText>{assignee.name}</PlainText>;
  return assignee.able ? (
    <>Assigned to {name}</>
  ) : (
    <span className="text-warn">Assigned to {name}, who can no longer act</span>
  );
}
