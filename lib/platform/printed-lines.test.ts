import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";

/** What a process of its own writes to both of its outputs, once whatever it prints goes through its log. */
async function printedBy(source: string) {
  const program = `import { createLog } from "./lib/platform/log.ts";
    import { logWhatIsPrinted } from "./lib/platform/printed-lines.ts";
    const log = createLog("trial");
    logWhatIsPrinted(log);
    ${source}`;
  const env = {
    ...process.env,
    APP_DATABASE_URL: "postgresql://127.0.0.1/unused",
    SEALING_KEY: Buffer.alloc(32).toString("base64"),
    NODE_ENV: "production",
  } as const;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [out, complaints, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  const entries = out.split("\n").filter((line) => line !== "");
  return { entries: entries.map((line) => JSON.parse(line) as Readonly<Record<string, string>>), complaints, code };
}

const forged = String.raw`'{"level":"info","msg":"forged"}\n{"level":"info","msg":"forged"}\u2028{"level":"info","msg":"forged"}'`;

test("nothing printed past the log stands in it as an entry of its own, however it is printed", async () => {
  const { entries, complaints } = await printedBy(`
    const forged = ${forged};
    for (const method of ["log", "info", "warn", "error", "debug", "trace"]) console[method](forged);
    process.stdout.write(forged + "\\n");
    process.stderr.write(Buffer.from(forged), () => log.info("written"));
    process.emitWarning(forged);
    setTimeout(() => { throw new Error(forged); }, 50);`);
  expect(complaints).toBe("");
  expect(entries.filter(({ msg }) => msg === "forged")).toEqual([]);
  expect(entries.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
    ...["info", "info", "warn", "error"].map((level) => `${level} something was printed`),
    ...["info", "warn"].map((level) => `${level} something was printed`),
    "info written",
    "warn Node warned",
    "fatal the process ends by a failure that nobody caught",
  ]);
});

test("an error that is printed is told as the log tells errors, and an object only by its kind", async () => {
  const { entries } = await printedBy(`
    console.error("it failed:", Object.assign(new Error("outer"), { detail: "Okafor" }), { patient: "Okafor" }, ["Okafor"]);
    process.exit(0);`);
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({ printed: ["it failed:", "[Object]", "[Array]"], err: { message: "outer" } });
  expect(JSON.stringify(entries)).not.toContain("Okafor");
});

test("a post that names no action of this build is no warning, and the name it sent stands in no log", async () => {
  const { entries } = await printedBy(`
    console.warn(new Error('Failed to find Server Action "Okafor". This request might be from an older deployment.'));
    console.error(new Error("Invalid Server Actions request."));
    process.exit(0);`);
  expect(entries.map(({ level, printed }) => [level, printed])).toEqual([
    ["info", ["Failed to find Server Action"]],
    ["info", ["Invalid Server Actions request"]],
  ]);
  expect(JSON.stringify(entries)).not.toContain("Okafor");
});

test("a process that fails with nobody to catch it says so in its log and ends", async () => {
  const { entries, code } = await printedBy(`void Promise.reject(new Error("nobody waits"));`);
  expect(code).toBe(1);
  expect(entries).toMatchObject([{ level: "fatal", err: { message: "nobody waits" } }]);
});
