import { createServer } from "node:net";

/** "free", "taken", "forbidden" (a privileged port) or "no such address". */
export function portState(port, host = "127.0.0.1") {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error) => resolve(stateByError[error.code] ?? "taken"));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve("free")));
  });
}

const stateByError = { EACCES: "forbidden", EADDRNOTAVAIL: "no such address", ENOTFOUND: "no such address" };

/** A free port below the range that systems hand to outgoing connections, so that it stays free between runs. */
export async function choosePort() {
  for (let tries = 0; tries < 200; tries += 1) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if ((await portState(port)) === "free") return port;
  }
  throw new Error("No free port between 20000 and 32000.");
}
