import { ChevronDown } from "lucide";
import { ActForm, ActSelect } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { Icon } from "#components/shell/icon";
import { Initials } from "#components/text/initials";
import { PlainText } from "#components/text/plain-text";
import type { DeskView } from "#lib/queue/open-case";
import { assign } from "./desk-actions.ts";

type Props = {
  readonly taskId: string;
  readonly desk: Pick<DeskView, "assignee" | "reviewers">;
  /** The reader, whom it is offered to first. */
  readonly me: string;
};

/** Who works on the case: the one owner it has, the reader in one press, anybody else from a list. */
export function Assignment({ taskId, desk: { assignee, reviewers }, me }: Props) {
  const options = [{ value: "", text: "Unassigned" }, ...reviewers.map(({ id, name }) => ({ value: id, text: name }))];
  const isMine = assignee?.id === me;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <details key={assignee?.id ?? "none"} data-hanging="" className="relative">
        <summary className="flex min-h-6 list-none items-center gap-1.5 rounded-md hover:underline pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
          {assignee && <Initials name={assignee.name} mine={isMine} label="" />}
          <Whose assignee={assignee} me={me} />
          <Icon of={ChevronDown} size={14} className="text-ink-faint print:hidden" />
        </summary>
        <div className="appear absolute end-0 z-20 mt-1 w-64 max-w-[80vw] rounded-lg border border-line bg-surface p-3 shadow-lg max-md:fixed max-md:inset-x-3 max-md:bottom-3 max-md:z-40 max-md:w-auto max-md:max-w-none">
          <ActForm act={assign} data-form="assign">
            <input type="hidden" name="taskId" value={taskId} />
            <input type="hidden" name="from" value={assignee?.id ?? ""} />
            <ActSelect name="to" label="Assign to" options={options} defaultValue={assignee?.able ? assignee.id : me} />
            <SubmitButton wide>Assign</SubmitButton>
          </ActForm>
        </div>
      </details>
      {!isMine && (
        <ActForm act={assign} data-form="assign-to-me" className="grid print:hidden">
          <input type="hidden" name="taskId" value={taskId} />
          <input type="hidden" name="from" value={assignee?.id ?? ""} />
          <input type="hidden" name="to" value={me} />
          <SubmitButton
            tone="quiet"
            shortcut="c"
            className="min-h-6! px-1! py-0! text-sm underline pointer-coarse:min-h-11!"
          >
            Assign to me
          </SubmitButton>
        </ActForm>
      )}
    </div>
  );
}

function Whose({ assignee, me }: { readonly assignee: DeskView["assignee"]; readonly me: string }) {
  if (!assignee) return <span className="text-ink-soft">Unassigned</span>;
  if (assignee.id === me) return <>Assigned to you</>;
  const name = <PlainText>{assignee.name}</PlainText>;
  return assignee.able ? <>{name}</> : <span className="text-warn">{name}, deactivated or no longer a reviewer</span>;
}
