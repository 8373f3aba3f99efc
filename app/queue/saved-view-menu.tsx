import { Bookmark, ChevronDown } from "lucide";
import { ActDialog } from "#components/form/act-dialog";
import { ActForm, ActSelect, ActText } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { Icon } from "#components/shell/icon";
import { PlainText } from "#components/text/plain-text";
import { viewNameMax, type SavedView } from "#lib/queue/model/saved-view";
import type { QueueChoices } from "#lib/queue/queue-choices";
import { remove, rename, save } from "./view-actions.ts";

type Props = {
  /** Of the list's address. */
  readonly query: string;
  /** The view it is already. */
  readonly saved: SavedView | undefined;
  readonly practices: QueueChoices["practices"];
};

/** Keeps the list at hand under a name; where it is kept already, what can be done with that. */
export function SavedViewMenu({ query, saved, practices }: Props) {
  return (
    <details data-hanging="" key={saved?.id ?? "none"} className="relative ms-auto shrink-0 print:hidden">
      <summary className="inline-flex min-h-8 list-none items-center gap-1.5 rounded-md px-2 text-sm font-semibold whitespace-nowrap text-ink-soft hover:bg-hover hover:text-ink pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <Icon of={Bookmark} size={14} className={saved && "fill-current"} />
        {saved ? "Saved view" : "Save view"}
        <Icon of={ChevronDown} size={14} className="text-ink-faint" />
      </summary>
      <div className="appear absolute end-0 z-20 mt-1 w-80 max-w-[calc(100vw-2rem)] rounded-lg border border-line bg-surface p-3 shadow-lg">
        {saved ? <Kept view={saved} /> : <Keep query={query} practices={practices} />}
      </div>
    </details>
  );
}

function Keep({ query, practices }: Omit<Props, "saved">) {
  const options = [
    { value: "", text: "Only me" },
    ...practices.map(({ id, name }) => ({ value: id, text: `Reviewers of ${name}` })),
  ];
  return (
    <ActForm act={save} data-form="save-view" className="grid gap-3">
      <input type="hidden" name="query" value={query} />
      <ActText
        name="name"
        label="Name"
        required
        maxLength={viewNameMax}
        autoComplete="off"
        hint="Don't name a patient here."
      />
      <ActSelect name="practiceId" label="Who sees it" options={options} defaultValue="" />
      <SubmitButton wide>Save view</SubmitButton>
    </ActForm>
  );
}

function Kept({ view: { id, name, practice } }: { readonly view: SavedView }) {
  return (
    <div className="grid gap-3">
      <p className="text-sm text-ink-soft">
        {practice ? (
          <>
            Shared with the reviewers of <PlainText>{practice.name}</PlainText>. What you change here changes for all of
            them.
          </>
        ) : (
          "Only you see this view."
        )}
      </p>
      <ActForm act={rename} data-form="rename-view" className="grid gap-3">
        <input type="hidden" name="id" value={id} />
        <ActText name="name" label="Name" required maxLength={viewNameMax} autoComplete="off" defaultValue={name} />
        <SubmitButton wide>Rename</SubmitButton>
      </ActForm>
      <div className="grid border-t border-line pt-3">
        <ActDialog
          act={remove}
          about={{ id }}
          label="Delete view"
          tone="danger"
          title={`Delete ${name}?`}
          confirm="Delete view"
          confirmTone="danger"
        >
          <p>
            {practice
              ? `It is gone for every reviewer of ${practice.name}. The cases stay as they are.`
              : "It is gone from your views. The cases stay as they are."}
          </p>
        </ActDialog>
      </div>
    </div>
  );
}
