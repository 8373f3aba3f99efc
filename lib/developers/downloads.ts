import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tarball } from "./tarball.ts";

type Download = { readonly type: string; readonly body: Buffer };

const read = (...path: readonly string[]) => readFileSync(join(process.cwd(), "agent", ...path));

const downloads: Readonly<Record<string, () => Download>> = {
  "prior_authorization.py": () => ({ type: "text/x-python", body: read("client", "prior_authorization.py") }),
  "prior-authorization-client.tgz": () => ({ type: "application/gzip", body: clientPackage() }),
  "sandbox.py": () => ({ type: "text/x-python", body: read("examples", "sandbox.py") }),
  "review.json": () => ({ type: "application/json", body: read("examples", "review.json") }),
};

/** A file that the guides say to download; undefined for every other name. */
export function downloadOf(name: string): Download | undefined {
  return Object.hasOwn(downloads, name) ? downloads[name]?.() : undefined;
}

/** The client as `npm pack` packs it: the whole of its folder, which has no build. */
function clientPackage(): Buffer {
  const names = readdirSync(join(process.cwd(), "agent", "client")).filter((name) =>
    /\.(?:js|ts|py|md|json)$/.test(name),
  );
  return tarball(Object.fromEntries(names.toSorted().map((name) => [`package/${name}`, read("client", name)])));
}
