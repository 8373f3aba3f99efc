import { nextEnvironment } from "../../lib/platform/process/next-environment.ts";
import { root } from "../setup/files.mjs";
import { environmentOf } from "./process-settings.mjs";

/** The arguments of Node for plain `next start`. */
export function plainNextArgs({ port, host }) {
  return ["node_modules/next/dist/bin/next", "start", "--port", String(port), "--hostname", host];
}

/** What that process is given: a server's settings. It ends as ours do, with everything written; Next would just exit. */
export function plainNextEnvironment(env) {
  const own = environmentOf("server", env);
  const environment = nextEnvironment({ folder: root, secret: own.NEXTAUTH_SECRET ?? "" });
  return { ...own, ...environment, NEXT_MANUAL_SIG_HANDLE: "true" };
}
