import { editableGroups } from "#lib/task/model/editable-fields";
import { editableGroupText, editableHint, editableText } from "#lib/messages/reviewer/editable";
import type { CaseView } from "#lib/task/views";
import type { CaseAddress } from "../case-address.ts";
import type { EditGroup } from "./edit-form.tsx";

/** The values of a request that can be corrected, in words, and under each service its code. */
export function editGroupsOf({ review }: CaseView): readonly EditGroup[] {
  return editableGroups(review).map(({ pointer, fields }) => {
    const [, index] = /^\/procedures\/(\d+)$/.exec(pointer) ?? [];
    const code = index === undefined ? undefined : review.procedures[Number(index)]?.code;
    return {
      title: editableGroupText(pointer),
      about: code,
      fields: fields.map((one) => ({
        pointer: one.pointer,
        name: editableText(one.pointer),
        hint: editableHint(one.pointer),
        kind: one.kind,
        value: one.value === undefined ? "" : `${one.value}`,
      })),
    };
  });
}

/** Who has to release the request once this reader has corrected it; undefined where they may alone. */
export function editWarning({ voting }: CaseView): string | undefined {
  if (!voting || voting.needed < 2) return undefined;
  return `It takes ${voting.needed} other reviewers to release it then.`;
}

/** Whether this reader may correct the request as it waits now. */
export function canEdit(view: CaseView): boolean {
  return view.can.includes("edit") && leavesEnough(view);
}

/** Whether the page at this address shows the request's fields, to be corrected. */
export function isEdited(view: CaseView, { edit }: CaseAddress): boolean {
  return edit === true && canEdit(view);
}

/** Whether so many others could release it that a correction does not leave it without anybody. */
function leavesEnough({ voting }: CaseView): boolean {
  if (!voting || voting.needed < 2) return true;
  const isOne = !voting.ownsChannel && !voting.editedIt;
  return voting.releasers - (isOne ? 1 : 0) >= voting.needed;
}
