import { Command } from "commander";
import { env } from "#lib/platform/env";
import { closeSharedStore } from "#lib/db/db";
import { addArchive } from "./archive.ts";
import { addAudit } from "./audit.ts";
import { addChannel } from "./channel.ts";
import { addGroup } from "./group.ts";
import { addImport } from "./import.ts";
import { addKey } from "./key.ts";
import { addBootstrap, addPerson } from "./person.ts";
import { addPractice } from "./practice.ts";
import { addReceipt, isOffline } from "./receipt.ts";
import { addRecover } from "./recover.ts";
import { addRoute } from "./route.ts";
import { addDoctor } from "./doctor.ts";
import { addPayers, addTask } from "./task.ts";
import { failureSentence } from "./failure-sentence.ts";

// Whoever read along may be gone, as with `| head`; what a command does is not left half done for that.
for (const output of [process.stdout, process.stderr])
  output.on("error", ({ code }: NodeJS.ErrnoException) => {
    if (code === "EPIPE" || code === "EIO") return;
    process.exitCode = 1;
    if (output === process.stdout)
      process.stderr.write(`What was printed is not complete: it could not be written (${code}).\n`);
  });

const program = new Command("npm run pa --")
  .description("The operator's command line. Secrets are read from standard input, never from an argument.")
  .option("--json", "print one JSON value and nothing else")
  .showHelpAfterError("Add --help to see what the command takes.")
  .hook("preAction", (_, action) => {
    if (!isOffline(action)) env();
  });

for (const add of [
  addBootstrap,
  addPractice,
  addChannel,
  addPerson,
  addGroup,
  addRoute,
  addImport,
  addAudit,
  addArchive,
  addReceipt,
  addRecover,
  addTask,
  addPayers,
  addDoctor,
  addKey,
])
  add(program);

try {
  await program.parseAsync();
  await closeSharedStore();
} catch (error) {
  process.stderr.write(`${failureSentence(error)}\n`);
  process.exitCode = 1;
}
