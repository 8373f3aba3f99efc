/** The version an address says its page begins before; undefined for anything that is none. */
export function beforeOf({ before }: { readonly before?: string | readonly string[] | undefined }): number | undefined {
  return typeof before === "string" && /^[1-9]\d{0,8}$/.test(before) ? Number(before) : undefined;
}
