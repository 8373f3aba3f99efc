import { spawn } from "node:child_process";
import { root } from "./files.mjs";

/** Runs one of our own scripts or a package's under this Node; `text` is all it printed. Aborted, it is not ok. */
export function runTool(args, { env = process.env, signal, input = "" } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, env, signal, stdio: "pipe" });
    let text = "";
    child.stdout.on("data", (bytes) => (text += bytes));
    child.stderr.on("data", (bytes) => (text += bytes));
    child.on("error", (error) => error.name !== "AbortError" && reject(error));
    child.on("close", (code) => resolve({ ok: code === 0, text }));
    // A tool that does not read its input may close it before we have written.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
