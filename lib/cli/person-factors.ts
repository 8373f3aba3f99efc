import type { Command } from "commander";
import { resetSecondFactor } from "#lib/person/reset-second-factor";
import { perform } from "./perform.ts";

/** For whoever lost what they prove themselves with. */
export function addFactors(person: Command): void {
  person
    .command("reset-second-factor")
    .description("take away somebody's passkeys, app and recovery codes, and end their sessions")
    .option("--email <email>", "whose, by email")
    .option("--id <id>", "whose, by id")
    .action((options: { email?: string; id?: string }, command: Command) =>
      perform(command, {
        ask: (ctx) => resetSecondFactor(ctx, options),
        json: (value) => value,
        text: ({ id, sessionsEnded }) => `Second factors of ${id} reset; sessions ended: ${sessionsEnded}.`,
      }),
    );
}
