import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { downloadOf } from "#lib/developers/downloads";
import { root } from "../../scripts/setup/files.mjs";

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "client-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program in the folder, with this Node and without a registry. */
function run(program: string, args: readonly string[]): string {
  const env = {
    NODE_ENV: "test" as const,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    npm_config_registry: "http://127.0.0.1:9/",
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
  };
  return execFileSync(program, args, { cwd: folder, env, encoding: "utf8" });
}

function filesIn(tarball: string): Readonly<Record<string, string>> {
  const names = run("tar", ["tzf", tarball]).trim().split("\n").toSorted();
  return Object.fromEntries(names.map((name) => [name, run("tar", ["xzOf", tarball, name])]));
}

test("the client that the service offers is what npm packs of its folder, file by file", () => {
  const packed = run("npm", ["pack", join(root, "agent", "client"), "--silent"]).trim();
  writeFileSync(join(folder, "served.tgz"), downloadOf("prior-authorization-client.tgz")?.body ?? "");
  const served = filesIn("served.tgz");
  expect(served).toEqual(filesIn(packed));
  expect(Object.keys(served)).toEqual([
    "package/README.md",
    "package/index.d.ts",
    "package/index.js",
    "package/package.json",
    "package/prior_authorization.py",
    "package/service-review.d.ts",
    "package/task.d.ts",
  ]);
});

const consumer = `
import { CallError, Client, type Determination, type ServiceReview, type Task } from "prior-authorization-client";

const serviceReview: ServiceReview = { payer: { id: "HLHP1" }, procedures: [{ code: "72148", quantity: 1 }] };
// @ts-expect-error -- a procedure has a code
const wrong: ServiceReview = { payer: { id: "HLHP1" }, procedures: [{ quantity: 1 }] };

export async function ask(client: Client): Promise<Determination | undefined> {
  const sent: Task = await client.send({ practiceId: "sandbox", serviceReview, files: [] });
  const task = await client.wait(sent, { onChange: ({ state }) => state satisfies string });
  if (task.state === "needs-information") await client.amend(task, { serviceReview: wrong });
  // @ts-expect-error -- there is no such state
  if (task.state === "lost") throw new CallError({ code: 1, message: "none" });
  return (await client.void(task, "No longer needed.")).determination;
}
`;

test("who installs it without a network has types that find what is wrong, and no dependency", () => {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", type: "module" }));
  run("npm", ["install", "--offline", "--no-fund", "./served.tgz"]);
  const installed = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as { packages: object };
  expect(Object.keys(installed.packages)).toEqual(["", "node_modules/prior-authorization-client"]);
  writeFileSync(join(folder, "consumer.ts"), consumer);
  symlinkSync(join(root, "node_modules", "typescript"), join(folder, "node_modules", "typescript"));
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const target = ["--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom"];
  run(process.execPath, ["node_modules/typescript/bin/tsc", "--noEmit", ...strict, ...target, "consumer.ts"]);
  const loaded = run(process.execPath, [
    "--eval",
    'import("prior-authorization-client").then((all) => console.log(...Object.keys(all)))',
  ]);
  expect(loaded).toBe("CallError Client\n");
});

test("the Python client tries again with the same message where a reply was cut off in its middle", async () => {
  const bodies: string[] = [];
  const reply = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    bodies.push(await text(incoming));
    const reply = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { id: "t-1" } });
    outgoing.writeHead(200, { "content-type": "application/json", "content-length": reply.length });
    if (bodies.length === 1) outgoing.write(reply.slice(0, 20), () => outgoing.destroy());
    else outgoing.end(reply);
  };
  const server = createServer((incoming, outgoing) => void reply(incoming, outgoing));
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening));
  // Safe because a server that listens on a port has an address.
  const { port } = server.address() as AddressInfo;
  const program = `
import sys
sys.path.insert(0, ${JSON.stringify(join(root, "agent", "client"))})
from prior_authorization import Client
print(Client("http://127.0.0.1:${port}", "key").send("sandbox", {})["id"])`;
  const { stdout } = await promisify(execFile)("python3", ["-B", "-c", program]);
  server.close();
  expect(stdout).toBe("t-1\n");
  expect(bodies).toEqual([bodies[0], bodies[0]]);
});

test("an unknown name is no download, nor is one of every object", () => {
  for (const name of ["nothing.py", "constructor", "../package.json"]) expect(downloadOf(name)).toBeUndefined();
});
