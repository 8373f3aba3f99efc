import { foreignFileHeaders } from "./foreign-file-headers.tsx";

/** Most of it that is shown in place; the rest is in the file that can be saved: 100,000 bytes. */
const shownBytes = 100_000;

type ResponseFile = { readonly bytes: Uint8Array; readonly name: string };

/**
 * What a payer sent, byte for byte and as nothing but text: nothing of it is ever active in our origin or kept by a
 * cache. In place its beginning, or to save the whole.
 */
export function receivedResponse({ bytes, name }: ResponseFile, { save }: { readonly save: boolean }): Response {
  const sent = save ? bytes : bytes.subarray(0, shownBytes);
  return new Response(new Uint8Array(sent), {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-length": String(sent.length),
      "content-disposition": save ? `attachment; filename="${name}.txt"` : "inline",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
      ...foreignFileHeaders,
    },
  });
}

/** Whether the whole was asked for, to save. */
export function savesWhole(request: Request): boolean {
  return new URL(request.url).searchParams.has("save");
}
