import { join } from "node:path";
import { pino } from "pino";
import { errorLine } from "#lib/platform/process/error-line";
import { onShutdown } from "#lib/platform/process/on-shutdown";
import { logWhatIsPrinted } from "#lib/platform/printed-lines";
import { createPayer } from "./core/payer.ts";
import { createSimulator } from "./server.ts";
import { clientsIn } from "./tokens/clients.ts";

const log = pino({ name: "simulator", base: null, serializers: { err: errorLine } });
logWhatIsPrinted(log);
const {
  SIMULATOR_PORT = "4010",
  SIMULATOR_HOST = "127.0.0.1",
  SIMULATOR_TOKEN,
  SIMULATOR_AUTH,
  DATA_DIR,
} = process.env;
const { SIMULATOR_CLIENTS = "[]", SIMULATOR_TOKEN_SECONDS = "300" } = process.env;
const file = process.env["SIMULATOR_DATA"] ?? (DATA_DIR && join(DATA_DIR, "simulator.jsonl"));

const server = createSimulator({
  payer: createPayer({ file }),
  token: SIMULATOR_TOKEN,
  isStrict: SIMULATOR_AUTH === "smart",
  clients: clientsIn(SIMULATOR_CLIENTS),
  tokenSeconds: Number(SIMULATOR_TOKEN_SECONDS),
  subscriptionsFile: file === undefined ? undefined : `${file}.subscriptions`,
  onRequest: (seen) => log.info(seen, "request"),
});

server.once("error", (error) => {
  log.fatal(
    { code: "code" in error ? error.code : undefined, port: SIMULATOR_PORT },
    "the simulator cannot listen: choose another SIMULATOR_PORT",
  );
  process.exit(1);
});

server.listen(Number(SIMULATOR_PORT), SIMULATOR_HOST, () => {
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : undefined;
  log.info({ host: SIMULATOR_HOST, port }, "listening");
  process.send?.({ type: "listening", port });
});

onShutdown(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
