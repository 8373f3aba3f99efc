import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { isJsonRpcError } from "@a2a-js/sdk/errors";
import { connect, type Service, type Task } from "./connect.ts";
import { follow } from "./follow.ts";
import { intakeOf } from "./intake.ts";
import { readSettings, usage, type Given, type Settings } from "./settings.ts";
import { trouble } from "./trouble.ts";

const note =
  "From the referral of today; the order and the insurance card were read by machine. Please check the side.";

/** Sends one intake and prints every change until its end. Gives the exit code: 0 after a determination, 130 after Ctrl-C. */
export async function runAgent(given: Given): Promise<number> {
  const settings = readSettings(given);
  if (settings === "help") return say(usage);
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  try {
    return await askAndFollow(settings, stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return say("\nStopped; the task goes on without this agent.", 130);
    throw explained(error, settings);
  }
}

async function askAndFollow(settings: Settings, signal: AbortSignal): Promise<number> {
  const service = await connect({ ...settings, signal });
  sayRow("service", `${service.card.name} ${service.card.version}, A2A at ${endpointOf(service)}`);
  sayRow("skills", service.card.skills.map(({ id }) => id).join(", "));
  const data = intakeOf(settings, new Date());
  const files = settings.files.map((path) => ({ name: basename(path), bytes: read(path) }));
  const first = await service.send({ data, note, files });
  sayRow("sent", `${settings.minimal ? "the smallest" : "a whole"} intake for ${settings.practiceId}`);
  for (const { name, bytes } of files) sayRow("attached", `${name}, ${bytes.length} bytes`);
  sayRow("task", first.id);
  sayRow("page", new URL(`/tasks/${first.id}`, settings.url).href);
  say("");
  const last = await follow(first, { service, signal, onChange: sayChange });
  say("");
  sayEnd(last);
  sayRow("in all", seconds(first, last));
  return last.state === "determined" ? 0 : 1;
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw trouble(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** One line a state: how long the one before took, its name, and who moves next. */
function sayChange(task: Task, before: Task | undefined): void {
  const after = before === undefined ? "" : `after ${seconds(before, task)}`;
  const { by, what } = task.nextAction;
  say(`${after.padStart(14)}  ${task.state.padEnd(24)}${by === "none" ? "" : `${by}: ${what}`}`.trimEnd());
}

function sayEnd(task: Task): void {
  const { determination, missing = [], payerReference, clock, artifacts } = task;
  if (determination === undefined) sayRow("ended", task.status.message?.parts[0]?.text ?? task.state);
  else sayRow("outcome", determination.outcome);
  const { authorizationNumber, validFrom, validTo, notes = [] } = determination ?? {};
  if (authorizationNumber !== undefined) sayRow("number", authorizationNumber);
  if (payerReference !== undefined) sayRow("reference", payerReference);
  if (validFrom !== undefined || validTo !== undefined) sayRow("valid", `${validFrom ?? ""} to ${validTo ?? ""}`);
  for (const payerNote of notes) sayRow("payer says", payerNote);
  for (const pointer of missing) sayRow("missing", pointer);
  if (clock?.dueAt !== undefined) sayRow("clock", `due ${clock.dueAt}${clock.overdue === true ? ", overdue" : ""}`);
  for (const { artifactId, parts } of artifacts) {
    for (const { text } of parts) if (text !== undefined) sayRow(artifactId, text);
  }
}

/** By the service's clock, between two changes of the task. */
function seconds(from: Task, to: Task): string {
  return `${((Date.parse(to.status.timestamp) - Date.parse(from.status.timestamp)) / 1000).toFixed(1)} s`;
}

function endpointOf({ card }: Service): string {
  return card.supportedInterfaces[0]?.url ?? "an address it does not name";
}

function sayRow(name: string, text: string): void {
  say(`${name.padStart(14)}  ${text}`);
}

function say(line: string, code = 0): number {
  process.stdout.write(`${line}\n`);
  return code;
}

/** A refusal in a sentence with its code and what is wrong; anything else as it is. */
function explained(error: unknown, { url }: Settings): unknown {
  if (isJsonRpcError(error)) {
    const data = error.data === undefined ? "" : ` ${JSON.stringify(error.data)}`;
    const meaning = error.envelopeCode === -32_003 ? ": the key, its practices or its atoms do not allow this" : "";
    return trouble(`The service refused: ${error.message} (${error.envelopeCode})${meaning}.${data}`);
  }
  const isOutOfReach = error instanceof TypeError && error.message === "fetch failed";
  return isOutOfReach
    ? trouble(`Nothing answers at ${url}: begin the service with npm start, or correct --url.`)
    : error;
}
