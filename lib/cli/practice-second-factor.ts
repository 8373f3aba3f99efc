import type { Command } from "commander";
import { setSecondFactor } from "#lib/practice/set-second-factor";
import { perform } from "./perform.ts";

type Options = { readonly id: string; readonly reviewers: string };

export function addSecondFactor(practice: Command): void {
  practice
    .command("second-factor")
    .description("say whether its reviewers need a second factor; it holds at once")
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
