import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { CallError, Client, type Task } from "./client/index.js";
import { intakeOf } from "./intake.ts";
import { readSettings, usage, type Sources, type Settings } from "./settings.ts";
import { trouble } from "./trouble.ts";

const note =
  "From the referral of today; the order and the insurance card were read by machine. Please check the side.";

/** Sends one intake and prints every change until its end. Gives the exit code: 0 after a determination, 130 after Ctrl-C. */
export async function runAgent(given: Sources): Promise<number> {
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
  const card = await cardOf(settings, signal);
  sayRow("service", `${card.name} ${card.version}, A2A at ${card.url}`);
  sayRow("skills", card.skills.map(({ id }) => id).join(", "));
  const client = new Client({ ...settings, signal });
  const files = settings.files.map((path) => ({ name: basename(path), bytes: read(path) }));
  const { practiceId } = settings;
  const first = await client.send({ practiceId, serviceReview: intakeOf(settings, new Date()), note, files });
  sayRow("sent", `${settings.minimal ? "the smallest" : "a whole"} intake for ${settings.practiceId}`);
  for (const { name, bytes } of files) sayRow("attached", `${name}, ${bytes.length} bytes`);
  sayRow("task", first.id);
  sayRow("page", new URL(`/tasks/${first.id}`, settings.url).href);
  say("");
  sayChange(first, undefined);
  const last = await client.wait(first, { onChange: sayChange });
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

type Card = {
  readonly name: string;
  readonly version: string;
  readonly url: string;
  readonly skills: readonly { readonly id: string }[];
};

/** What the service says of itself to everyone. */
async function cardOf({ url }: Settings, signal: AbortSignal): Promise<Card> {
  const response = await fetch(new URL("/.well-known/agent-card.json", url), { signal });
  // Safe because A2A says what a card has; what is none is no JSON or lacks the names that are shown.
  return (await response.json()) as Card;
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
  if (error instanceof CallError) {
    const data = Object.keys(error.data).length === 0 ? "" : ` ${JSON.stringify(error.data)}`;
    const meaning = error.code === -32_003 ? ": the key, its practices or its atoms do not allow this" : "";
    return trouble(`The service refused: ${error.message} (${error.code})${meaning}.${data}`);
  }
  const isOutOfReach = error instanceof TypeError && error.message === "fetch failed";
  return isOutOfReach
    ? trouble(`Nothing answers at ${url}: begin the service with npm start, or correct --url.`)
    : error;
}
