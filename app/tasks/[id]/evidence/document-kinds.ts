import type { AttachmentType } from "#lib/task/model/attachment";

/** What people call each kind of file. */
export const typeTexts: Readonly<Record<AttachmentType, string>> = {
  "application/pdf": "PDF",
  "image/png": "PNG image",
  "image/jpeg": "JPEG image",
  "image/tiff": "TIFF image",
  "application/xml": "XML",
  "text/plain": "Text",
};
