import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { anAuthority } from "#test/support/servers/certificates";
import { aCollector } from "#test/support/servers/syslog";
import { errorLine } from "./process/error-line.ts";

const secret = "Okafor";
const thrownBy = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe("an error in the log", () => {
  test("is its name, message, code and where it was thrown", () => {
    const error = Object.assign(new Error("The payer hung up."), { code: "ECONNRESET", detail: secret });
    const line = errorLine(error);
    expect(line).toMatchObject({
      name: "Error",
      message: "The payer hung up.",
      code: "ECONNRESET",
      stack: expect.arrayContaining([expect.stringContaining("log.test.ts")]),
    });
    expect(JSON.stringify(line)).not.toContain(secret);
  });

  test.each<[string, unknown]>([
    ["JSON.parse", thrownBy(() => JSON.parse(`{"patient": ${secret}`))],
    ["Prisma", Object.assign(new Error(`Argument lastName: ${secret}`), { name: "PrismaClientValidationError" })],
    [
      "Postgres",
      Object.assign(new Error(`invalid input syntax: "${secret}"`), { name: "error", detail: secret, code: "22P02" }),
    ],
    ["any of them as a cause", new Error("outer", { cause: thrownBy(() => JSON.parse(secret)) })],
    ["a string that was thrown", secret],
    ["an object that was thrown", { secret }],
  ])("never repeats what %s was given", (_, error) => {
    expect(JSON.stringify(errorLine(error))).not.toContain(secret);
  });
});

describe("a process that logs", () => {
  test("writes what is left when it exits", async () => {
    const child = begin(`log.info("first"); process.exit(0)`);
    const [printed] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(printed).toMatch(/^\{"level":"info",.*"process":"trial","msg":"first"\}\n$/);
  });

  test("says it to the collector that is set, too, and what is left before it ends", async () => {
    const authority = anAuthority();
    const { url, messages } = await aCollector(authority.certify("localhost"));
    const folder = mkdtempSync(join(tmpdir(), "authority-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const trusted = join(folder, "ca.pem");
    writeFileSync(trusted, authority.cert);
    const child = begin(`log.info("first"); log.error("last"); process.kill(process.pid, "SIGTERM")`, {
      LOG_COLLECTOR: `tls://${url.host}`,
      NODE_EXTRA_CA_CERTS: trusted,
    });
    const [printed] = await Promise.all([text(child.stdout), once(child, "exit")]);
    await expect.poll(messages).toHaveLength(2);
    expect(
      `${messages()
        .map((message) => message.slice(message.indexOf("{")))
        .join("\n")}\n`,
    ).toBe(printed);
  });

  test("says when in UTC", async () => {
    const child = begin(`log.info("now"); process.exit(0)`);
    const [printed] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(printed).toMatch(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/);
  });

  test("writes one line for each entry, whatever is in it", async () => {
    const line = JSON.stringify('a"}\r\n{"level":"info","msg":"forged"}\u2028\u001b[2K\0');
    const child = begin(`log.info({ channel: ${line} }, ${line}); process.exit(0)`);
    const [printed] = await Promise.all([text(child.stdout), once(child, "exit")]);
    expect(printed.split("\n")).toHaveLength(2);
    expect(JSON.parse(printed)).toMatchObject({ msg: JSON.parse(line), channel: JSON.parse(line) });
    // oxlint-disable-next-line no-control-regex
    expect(printed.trimEnd()).not.toMatch(/[\u0000-\u001f]/);
  });

  test("ends though nobody reads its log any more", async () => {
    const child = begin(`process.stdin.on("end", () => { log.info("late"); process.exit(0); }).resume()`);
    child.stdout.destroy();
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

function begin(
  source: string,
  settings: Readonly<Record<string, string>> = {},
): ChildProcessByStdio<Writable, Readable, null> {
  const program = `import { createLog } from "./lib/platform/log.ts"; const log = createLog("trial"); ${source}`;
  const complete = {
    APP_DATABASE_URL: "postgresql://127.0.0.1/unused",
    SEALING_KEY: Buffer.alloc(32).toString("base64"),
  };
  const env = {
    ...process.env,
    ...complete,
    NODE_ENV: "production",
    ...settings,
  } as const;
  const args = ["--input-type=module", "--eval", program];
  const child = spawn(process.execPath, args, { env, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}
