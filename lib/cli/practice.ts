import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import type { Command } from "commander";
import { env } from "#lib/platform/env";
import { createPractice, type CreatePractice } from "#lib/practice/create-practice";
import { listPractices, type PracticeRecord, type VoteRule } from "#lib/practice/list-practices";
import { setNotedWarnings } from "#lib/practice/set-noted-warnings";
import { setSsoOnly } from "#lib/practice/set-sso-only";
import { setVoteRules } from "#lib/practice/set-vote-rules";
import { resumePractice, suspendPractice } from "#lib/practice/suspend-practice";
import { columns } from "./columns.ts";
import { perform } from "./perform.ts";
import { setSecondFactor } from "#lib/practice/set-second-factor";
import { setSecondAdmin } from "#lib/practice/set-second-admin";

type Create = {
  id: string;
  name: string;
  environment?: string;
  recallWindow?: string;
  gateExpiry?: string;
  timeZone?: string;
};

export function addPractice(program: Command): void {
  const practice = program.command("practice").description("practices: create, list, suspend, resume");
  practice
    .command("create")
    .description("create a practice")
    .requiredOption("--id <id>", "its public id; it never changes")
    .requiredOption("--name <name>", "what people call it")
    .option("--environment <live|test>", "its environment unless a route has another (live)")
    .option("--recall-window <seconds>", "how long a release can be undone (10)")
    .option("--gate-expiry <days>", "after how many days a request awaiting release expires (14)")
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
  addVotes(practice);
  addSecondFactor(practice);
  addSecondAdmin(practice);
  addTargets(practice);
  addWarnings(practice);
  addSignIn(practice);
  for (const { verb, act, outcome } of statusVerbs) {
    practice
      .command(verb)
      .description(`${verb} a practice`)
      .requiredOption("--id <id>", "which")
      .action(({ id }: { id: string }, command: Command) =>
        perform(command, {
          ask: (ctx) => act(ctx, { practiceId: id }),
          json: () => ({ id }),
          text: () => `Practice ${id} ${outcome}.`,
        }),
      );
  }
}

type Votes = { id: string; action: string; risk: string; votes: string; stepUp?: true };

function addVotes(practice: Command): void {
  practice
    .command("votes")
    .description("set how many people must release an action of a risk; applies at once")
    .requiredOption("--id <id>", "which practice")
    .requiredOption("--action <transmit|void>", "what is released")
    .requiredOption("--risk <ordinary|high>", "high: a void of what was decided, and whatever carries a warning")
    .requiredOption("--votes <number>", "how many different people")
    .option("--step-up", "each of them verifies their identity")
    .action(({ id, action, risk, votes, ...options }: Votes, command: Command) =>
      perform(command, {
        ask: (ctx) => setVoteRules(ctx, { practiceId: id, rules: [ruleOf({ action, risk, votes, ...options })] }),
        json: () => ({ id, ...ruleOf({ action, risk, votes, ...options }) }),
        text: () =>
          `Practice ${id}: ${votes} to release a ${action} of ${risk} risk${options.stepUp ? ", with proof" : ""}.`,
      }),
    );
}

type Targets = { id: string; urgent: string; standard: string };

function addTargets(practice: Command): void {
  practice
    .command("targets")
    .description("set the targets in hours; cases that wait already keep theirs")
    .requiredOption("--id <id>", "which practice")
    .requiredOption("--urgent <hours>", "on a case its agent marked urgent")
    .requiredOption("--standard <hours>", "on any other")
    .action(({ id, urgent, standard }: Targets, command: Command) => {
      const targets = { urgentTargetH: Number(urgent), standardTargetH: Number(standard) };
      return perform(command, {
        ask: (ctx) => changePracticeSettings(ctx, { practiceId: id, ...targets }),
        json: () => ({ id, ...targets }),
        text: () => `Practice ${id}: ${urgent} h for what is urgent, ${standard} h for the rest.`,
      });
    });
}

function addWarnings(practice: Command): void {
  practice
    .command("warnings")
    .description("set which warnings are only noted; every other needs an override reason before a release")
    .requiredOption("--id <id>", "which practice")
    .requiredOption("--noted <types>", "with commas in between; empty for none")
    .action(({ id, noted }: { id: string; noted: string }, command: Command) => {
      const types = noted.split(",").flatMap((type) => type.trim() || []);
      return perform(command, {
        ask: (ctx) => setNotedWarnings(ctx, { practiceId: id, noted: types }),
        json: () => ({ id, noted: types }),
        text: () =>
          types.length === 0
            ? `Practice ${id} asks for a reason over every warning.`
            : `Practice ${id} only notes ${types.join(", ")}.`,
      });
    });
}

function addSignIn(practice: Command): void {
  practice
    .command("sign-in")
    .description("set whether people with a role in a practice can sign in by password; applies at once")
    .requiredOption("--id <id>", "which practice")
    .requiredOption("--by <sso|any>", "sso: by the single sign-on provider alone")
    .action(({ id, by }: { id: string; by: string }, command: Command) => {
      if (by !== "sso" && by !== "any") return command.error("error: --by must be sso or any");
      const hasProvider = env().OIDC_ISSUER !== undefined;
      return perform(command, {
        ask: (ctx) => setSsoOnly(ctx, { practiceId: id, on: by === "sso", hasProvider }),
        json: (value) => ({ id, by, ...value }),
        text: ({ unlinked }) =>
          by === "any"
            ? `Practice ${id}: passwords open it again.`
            : `Practice ${id}: only the provider opens it now; people not linked to it yet: ${unlinked}.`,
      });
    });
}

function ruleOf({
  action,
  risk,
  votes,
  stepUp = false,
}: Omit<Votes, "id" | "stepUp"> & { stepUp?: boolean }): VoteRule {
  // Safe because the verb checks the words and refuses any other.
  return { action, risk, votes: Number(votes), stepUp } as VoteRule;
}

const statusVerbs = [
  { verb: "suspend", act: suspendPractice, outcome: "suspended: no channel reaches it and nothing is sent for it" },
  { verb: "resume", act: resumePractice, outcome: "active again" },
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

/** With demo data, a practice is in the test environment unless the option says otherwise. */
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

type Options = { readonly id: string; readonly reviewers: string };

function addSecondFactor(practice: Command): void {
  practice
    .command("second-factor")
    .description("set whether its reviewers need a second factor; applies at once")
    .requiredOption("--id <id>", "which practice")
    .requiredOption("--reviewers <required|optional>", "required: who has shown none does nothing")
    .action(({ id, reviewers }: Options, command: Command) => {
      const required = reviewers === "required";
      if (!required && reviewers !== "optional") command.error("--reviewers must be required or optional.");
      return perform(command, {
        ask: (ctx) => setSecondFactor(ctx, { practiceId: id, required }),
        json: () => ({ id, reviewers }),
        text: () => `Practice ${id}: a second factor of its reviewers is ${reviewers}.`,
      });
    });
}

type SecondAdminOptions = { readonly id: string; readonly confirms: string };

function addSecondAdmin(practice: Command): void {
  practice
    .command("second-admin")
    .description("set whether a second admin confirms changes that widen access to the practice")
    .requiredOption("--id <id>", "which practice")
    .requiredOption("--confirms <on|off>", "on: a channel that is to reach it, the admin role and fewer releases wait")
    .action(({ id, confirms }: SecondAdminOptions, command: Command) => {
      const on = confirms === "on";
      if (!on && confirms !== "off") command.error("--confirms must be on or off.");
      return perform(command, {
        ask: (ctx) => setSecondAdmin(ctx, { practiceId: id, on }),
        json: () => ({ id, confirms }),
        text: () => `Practice ${id}: a second admin ${on ? "confirms" : "doesn't confirm"} changes that widen access.`,
      });
    });
}
