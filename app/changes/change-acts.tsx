import { ActDialog } from "#components/form/act-dialog";
import { PlainText } from "#components/text/plain-text";
import type { ListedChange } from "#lib/change-request/list-changes";
import { upcomingProof } from "#lib/person/session/person";
import { close, confirm } from "./actions.ts";

type Props = { readonly request: ListedChange; readonly text: string };

/** What can be done with a change that waits: whoever asked takes it back, anybody else confirms or rejects it. */
export async function ChangeActs({ request: { id, isOwn, requestedByName }, text }: Props) {
  const about = { changeId: id };
  if (isOwn) {
    return (
      <ActDialog
        act={close}
        about={about}
        label="Withdraw"
        labelMore={text}
        title="Withdraw this request?"
        confirm="Withdraw request"
      >
        <p>
          <PlainText>{`${text}.`}</PlainText> Nothing changes, and another admin can no longer confirm it.
        </p>
      </ActDialog>
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      <ActDialog
        act={confirm}
        about={about}
        label="Confirm"
        labelMore={text}
        tone="primary"
        title="Confirm this change?"
        confirm="Confirm change"
        asks={await upcomingProof()}
      >
        <p>
          <PlainText>{`${text}. ${requestedByName} requested it.`}</PlainText> It takes effect at once, and the audit
          log names both of you.
        </p>
      </ActDialog>
      <ActDialog
        act={close}
        about={about}
        label="Reject"
        labelMore={text}
        title="Reject this change?"
        confirm="Reject change"
        confirmTone="danger"
      >
        <p>
          <PlainText>{`${text}. ${requestedByName} requested it and sees that you rejected it.`}</PlainText>
        </p>
      </ActDialog>
    </div>
  );
}
