import { readFile } from "node:fs/promises";
import { join } from "node:path";

type Params = { readonly params: Promise<{ readonly folder: string; readonly file: string }> };

/** What the viewer of documents may ask for, by its folder in the package, with what each kind of file is. */
const kinds: Readonly<Record<string, { readonly name: RegExp; readonly type: string }>> = {
  cmaps: { name: /^[A-Za-z0-9-]{1,40}\.bcmap$/, type: "application/octet-stream" },
  standard_fonts: { name: /^[A-Za-z-]{1,40}\.(?:pfb|ttf)$/, type: "application/octet-stream" },
  wasm: { name: /^(?:jbig2|openjpeg)_nowasm_fallback\.js$/, type: "text/javascript; charset=utf-8" },
};

/** The fonts, character maps and image decoders that some PDFs need: parts of the viewer, the same for everyone. */
export async function GET(_: Request, { params }: Params): Promise<Response> {
  const { folder, file } = await params;
  const kind = Object.hasOwn(kinds, folder) ? kinds[folder] : undefined;
  if (!kind?.name.test(file)) return notFound();
  const bytes = await readFile(join(process.cwd(), "node_modules/pdfjs-dist", folder, file)).catch(() => undefined);
  if (!bytes) return notFound();
  const headers = { "content-type": kind.type, "cache-control": "public, max-age=86400" };
  return new Response(new Uint8Array(bytes), { headers });
}

function notFound(): Response {
  return new Response("Not found", { status: 404, headers: { "cache-control": "no-store" } });
}
