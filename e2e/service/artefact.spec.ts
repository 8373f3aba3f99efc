import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { runTool } from "../../scripts/setup/tools.mjs";
import { expect, release, signIn, smallIntake, standing, test } from "../fixtures/journey.ts";

test("two web servers that run one release, as a user who may write nothing and with small heaps, serve one journey by turns", async ({
  practice,
  stack,
  page,
}) => {
  test.setTimeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), "release-"));
  chmodSync(folder, 0o755);
  const out = join(folder, "release");
  const made = await runTool(["scripts/release/build.mjs", `--out=${out}`], { env: process.env });
  expect(made.text).toContain("components");
  expect(made.ok).toBe(true);
  for (const absent of ["app", "lib/demo", "node_modules/vitest", "node_modules/typescript", ".next/cache"])
    expect(existsSync(join(out, absent)), absent).toBe(false);

  const turns = await byTurns();
  const by = {
    cwd: out,
    nodeOptions: ["--max-old-space-size=256"],
    uid: process.getuid?.() === 0 ? 65_534 : undefined,
  };
  const settings = () => Promise.resolve({ PUBLIC_URL: turns.url, NEXTAUTH_URL: turns.url });
  const servers = [await stack.oneMoreServer(settings, by), await stack.oneMoreServer(settings, by)];
  try {
    for (const { baseUrl } of servers) turns.add(baseUrl);
    const sent = await practice.agent.send(smallIntake(practice));
    await signIn(page, practice.reviewer);
    await page.goto(`${turns.url}/tasks/${sent.id}`);
    await release(page);
    await expect(standing(page)).toContainText(/released/i);
    expect(turns.served().every((count) => count > 3)).toBe(true);
    const answer = await fetch(`${turns.url}/health/ready`);
    expect(answer.status).toBe(200);
    const { deploymentId } = JSON.parse(readFileSync(join(out, "release.json"), "utf8")) as { deploymentId: string };
    expect(await (await fetch(`${turns.url}/sign-in`)).text()).toContain(deploymentId);
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
    await turns.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A balancer that gives each request to the next server. */
async function byTurns() {
  const targets: { readonly port: string; served: number }[] = [];
  let turn = 0;
  const proxy = createServer((incoming, outgoing) => {
    turn += 1;
    const target = targets[turn % targets.length];
    if (!target) return void outgoing.writeHead(503).end();
    target.served += 1;
    const { method, url: path, headers } = incoming;
    const passed = request({ host: "127.0.0.1", port: target.port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  // Safe because it listens on a port.
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    add: (baseUrl: string) => void targets.push({ port: new URL(baseUrl).port, served: 0 }),
    served: () => targets.map(({ served }) => served),
    close: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
