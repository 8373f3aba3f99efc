import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createSecureContext, TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { anAuthority } from "#test/support/servers/certificates";

/** Answers as Postgres does that has TLS, with a certificate that nobody trusts; counts what came over TLS. */
async function aStrangeDatabase() {
  const seen = { connections: 0, bytes: 0 };
  const secureContext = createSecureContext(anAuthority().certify("127.0.0.1"));
  const server = createServer((socket) => {
    seen.connections += 1;
    socket.on("error", () => undefined);
    // An SSLRequest, which the protocol answers with one letter.
    socket.once("data", () => {
      socket.write("S");
      const secure = new TLSSocket(socket, { isServer: true, secureContext });
      secure.on("error", () => undefined).on("data", ({ length }: Buffer) => void (seen.bytes += length));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // Safe because it listens on a TCP port.
  return { seen, port: (server.address() as AddressInfo).port };
}

test("a database whose certificate nobody trusts is told nothing, and the process says why in its log and ends", async () => {
  const { seen, port } = await aStrangeDatabase();
  const program = `import { createLog } from "./lib/platform/log.ts";
    import { logWhatIsPrinted } from "./lib/platform/printed-lines.ts";
    import { sharedStore } from "./lib/db/db.ts";
    import { proveServer } from "./lib/db/unfit.ts";
    logWhatIsPrinted(createLog("trial"));
    await proveServer(sharedStore());`;
  const env = {
    ...process.env,
    APP_DATABASE_URL: `postgresql://app:password@127.0.0.1:${port}/prior_auth?sslmode=verify-full`,
    SEALING_KEY: Buffer.alloc(32).toString("base64"),
    NODE_ENV: "production",
  } as const;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const entries = out.split("\n").filter((line) => line !== "");
  expect(code).toBe(1);
  const last = JSON.parse(entries.at(-1) ?? "{}") as Readonly<Record<string, unknown>>;
  expect(last).toMatchObject({ level: "fatal" });
  expect(JSON.stringify(last)).toMatch(/UNABLE_TO_VERIFY_LEAF_SIGNATURE|DEPTH_ZERO_SELF_SIGNED_CERT/);
  expect(seen.connections).toBeGreaterThan(0);
  expect(seen.bytes).toBe(0);
});
