import type { Command } from "commander";
import { env } from "#lib/env";
import { createPractice, type CreatePractice } from "#lib/admin/create-practice";
import { listPractices, type PracticeRecord } from "#lib/admin/list-practices";
import { resumePractice, suspendPractice } from "#lib/admin/suspend-practice";
import { columns } from "./columns.ts";
import { perform } from "./perform.ts";

type Create = {
  id: string;
  name: string;
  environment?: string;
  recallWindow?: string;
  gateExpiry?: string;
  timeZone?: string;
};

export function addPractice(program: Command): void {
  const practice = program.command("practice").description("practices: make, list, suspend, resume");
  practice
    .command("create")
    .description("make a practice")
    .requiredOption("--id <id>", "its public id; it never changes")
    .requiredOption("--name <name>", "what people call it")
    .option("--environment <live|test>", "where its work goes unless a route says otherwise (live)")
    .option("--recall-window <seconds>", "how long a release may be recalled (10)")
    .option("--gate-expiry <days>", "how long a gate waits for an answer (14)")
    .option("--time-zone <name>", "whose calendar days a payer's time is counted in (America/New_York)")
    .action((options: Create, command: Command) =>
      perform(command, {
        ask: (ctx) => createPractice(ctx, inputOf(options)),
        json: ({ id }) => ({ id }),
        text: ({ id }) => `Practice ${id} made.`,
      }),
    );
  practice
    .command("list")
    .description("show every practice")
    .action((_: object, command: Command) =>
      perform(command, { ask: (ctx) => listPractices(ctx), json: (list) => list, text: table }),
    );
  for (const { verb, act, told } of statusVerbs) {
    practice
      .command(verb)
      .description(`${verb} a practice`)
      .requiredOption("--id <id>", "which")
      .action(({ id }: { id: string }, command: Command) =>
        perform(command, {
          ask: (ctx) => act(ctx, { practiceId: id }),
          json: () => ({ id }),
          text: () => `Practice ${id} ${told}.`,
        }),
      );
  }
}

const statusVerbs = [
  { verb: "suspend", act: suspendPractice, told: "suspended: no channel reaches it and nothing is sent for it" },
  { verb: "resume", act: resumePractice, told: "active again" },
] as const;

function inputOf({ id, name, environment, recallWindow, gateExpiry, timeZone }: Create): CreatePractice {
  return {
    id,
    name,
    // Safe because the verb checks the word and refuses any other.
    environment: (environment ?? demoEnvironment()) as "live" | "test" | undefined,
    recallWindowS: recallWindow === undefined ? undefined : Number(recallWindow),
    gateExpiryDays: gateExpiry === undefined ? undefined : Number(gateExpiry),
    timeZone,
  };
}

/** Beside demo data nothing is live unless it is said. */
function demoEnvironment(): "test" | undefined {
  return env().DEMO === undefined ? undefined : "test";
}

function table(list: readonly PracticeRecord[]): string {
  if (list.length === 0) return "There is no practice yet: make one with `practice create`.";
  return columns(
    ["ID", "NAME", "STATUS", "ENVIRONMENT"],
    list.map(({ id, name, status, environment }) => [id, name, status, environment]),
  );
}
