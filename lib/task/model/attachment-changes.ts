import type { Attachment } from "./attachment.ts";
import type { Change } from "./changes.ts";

/** The files that were added or removed between two revisions, in the form of a review's changes. */
export function attachmentChanges(before: readonly Attachment[], after: readonly Attachment[]): readonly Change[] {
  const isIn = (list: readonly Attachment[]) => (file: Attachment) => list.some(({ sha256 }) => sha256 === file.sha256);
  return [
    ...after.filter((file) => !isIn(before)(file)).map((file) => ({ path: pathOf(file), after: attachmentText(file) })),
    ...before
      .filter((file) => !isIn(after)(file))
      .map((file) => ({ path: pathOf(file), before: attachmentText(file) })),
  ];
}

function pathOf({ sha256 }: Attachment): string {
  return `/attachments/${sha256.slice(0, 12)}`;
}

function attachmentText({ name, contentType, size }: Attachment): string {
  return [...(name === undefined ? [] : [name]), contentType, `${size} bytes`].join(", ");
}
