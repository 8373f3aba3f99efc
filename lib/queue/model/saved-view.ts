/** A list of the queue under a name. */
export type ListName = {
  readonly id: string;
  readonly name: string;
  /** Of its address, without the question mark; empty for what is to release. */
  readonly query: string;
};

export type SavedView = ListName & {
  /** The practice whose reviewers share it; undefined if it is the reader's own. */
  readonly practice?: { readonly id: string; readonly name: string } | undefined;
};

export const viewNameMax = 40;
export const viewQueryMax = 500;

/** As many as a menu holds: of a person, and of a practice. */
export const savedViewsMax = 20;

/** A name without spaces around it; undefined for one that is empty, too long, or not a line of text. */
export function viewName(typed: string): string | undefined {
  const name = typed.trim().replaceAll(/\s+/g, " ");
  return name === "" || name.length > viewNameMax || /\p{Cc}|\p{Cf}|\p{Cs}/u.test(name) ? undefined : name;
}
