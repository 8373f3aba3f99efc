import type { Attachment, AttachmentType } from "./attachment.ts";

const nameCharsMax = 120;

const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

/**
 * A file name as it may be shown: its last segment, on one line, without invisible or direction-changing characters, at
 * most 120 characters, extension kept. Undefined if nothing is left.
 */
export function cleanName(given: string | undefined): string | undefined {
  const last = (given ?? "").split(/[/\\]/).at(-1) ?? "";
  const shown = last
    .replace(unseen, "")
    .normalize("NFC")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  return shown === "" ? undefined : shorten(shown);
}

function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= nameCharsMax) return name;
  const extension = [...(/\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? "")];
  return [...characters.slice(0, nameCharsMax - extension.length - 1), "…", ...extension].join("");
}

const extensions: Readonly<Record<AttachmentType, readonly [string, ...string[]]>> = {
  "application/pdf": ["pdf"],
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/tiff": ["tif", "tiff"],
  "application/xml": ["xml"],
  "text/plain": ["txt"],
};

/**
 * A name to save a file under: no character that a file system interprets, and always the extension of its real type.
 */
export function savedName({ name, contentType, sha256 }: Pick<Attachment, "name" | "contentType" | "sha256">): string {
  const base = (name ?? `attachment-${sha256.slice(0, 8)}`).replace(/[<>:"/\\|?*%]/g, "_");
  const fits = extensions[contentType].some((extension) => base.toLowerCase().endsWith(`.${extension}`));
  return fits ? base : `${base}.${extensions[contentType][0]}`;
}
