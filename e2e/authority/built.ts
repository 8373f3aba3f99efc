import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/setup/files.mjs";

/** A server action as the build knows it. */
export type BuiltAction = {
  /** File and name, as the table of actions has it. */
  readonly name: string;
  /** What a browser names it by. */
  readonly id: string;
};

/** Every page and route of the build, under the manifest's own names. */
export function builtRoutes(): readonly string[] {
  return Object.keys(manifest("app-paths-manifest.json"));
}

export function builtActions(): readonly BuiltAction[] {
  // Safe because Next's build writes it so; a test fails where it finds no action in it.
  const { node } = manifest("server-reference-manifest.json") as {
    node: Readonly<Record<string, { readonly filename: string; readonly exportedName: string }>>;
  };
  return Object.entries(node).map(([id, { filename, exportedName }]) => ({ id, name: `${filename}#${exportedName}` }));
}

/** What a browser names an action by; an action that is not in the build fails whoever asks. */
export function actionId(name: string): string {
  const found = builtActions().find((action) => action.name === name);
  if (!found) throw new Error(`The build has no server action ${name}.`);
  return found.id;
}

/** The paths that the server answers before Next sees them, as its source names them. */
export function ownRoutes(): readonly string[] {
  const source = readFileSync(join(root, "server.ts"), "utf8");
  return [...source.matchAll(/"(\/[^"]*)": /g)].map(([, path]) => path ?? "");
}

/** What lies open to everybody, as a path. */
export function publicFiles(): readonly string[] {
  return readdirSync(join(root, "public"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(join(root, "public").length));
}

/** The HTTP methods a route's file answers. */
export function methodsOf(route: string): readonly string[] {
  const source = readFileSync(join(root, "app", `${route}.ts`), "utf8");
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  return methods.filter((method) => new RegExp(String.raw`\bexport\b[^;]*?\b${method}\b`).test(source));
}

function manifest(name: string): object {
  return JSON.parse(readFileSync(join(root, ".next", "server", name), "utf8")) as object;
}
