import type { Command } from "commander";
import { setSecondAdmin } from "#lib/practice/set-second-admin";
import { perform } from "./perform.ts";

type Options = { readonly id: string; readonly confirms: string };

export function addSecondAdmin(practice: Command): void {
  practice
    .command("second-admin")
    .description("say whether a second administrator confirms what widens access to the practice")
    .requiredOption("--id <id>", "which practice")
    .requiredOption("--confirms <on|off>", "on: a channel that is to reach it, the admin role and fewer releases wait")
    .action(({ id, confirms }: Options, command: Command) => {
      const on = confirms === "on";
      if (!on && confirms !== "off") command.error("--confirms must be on or off.");
      return perform(command, {
        ask: (ctx) => setSecondAdmin(ctx, { practiceId: id, on }),
        json: () => ({ id, confirms }),
        text: () =>
          `Practice ${id}: a second administrator ${on ? "confirms" : "need not confirm"} what widens access.`,
      });
    });
}
