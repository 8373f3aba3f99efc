import { hkdfSync } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

type Options = {
  /** The folder that holds the build. */
  readonly folder: string;
  readonly secret: string;
};

/**
 * What Next is told by its environment, so that all nodes of a service answer each other's pages: which build it serves
 * (a page of another build asks for a whole new one), and the key with which it seals what a form's action is bound to,
 * which follows from the service's secret and not from the build.
 */
export function nextEnvironment({ folder, secret }: Options): Readonly<Record<string, string>> {
  const stamp = join(folder, ".next", "build-stamp");
  const key = Buffer.from(hkdfSync("sha256", secret, "", "server actions", 32));
  return {
    NEXT_SERVER_ACTIONS_ENCRYPTION_KEY: key.toString("base64"),
    ...(existsSync(stamp) ? { NEXT_DEPLOYMENT_ID: readFileSync(stamp, "utf8").slice(0, 16) } : {}),
  };
}
