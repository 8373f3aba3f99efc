import type { Command } from "commander";
import { listFailures } from "#lib/db/archive-failures";
import { archiveStanding, verifyArchive } from "#lib/db/verify-archive";
import { archiveTexts } from "#lib/messages/cli";
import { ok } from "#lib/platform/result";
import { perform } from "./perform.ts";

export function addArchive(program: Command): void {
  const archive = program.command("archive").description("the values of closed cases in the object store");
  archive
    .command("verify")
    .description("read every object in use and compare its digest; exit code 1 if one is missing or changed")
    .option("--practice <id>", "one practice only")
    .action(({ practice: practiceId }: { practice?: string }, command: Command) =>
      perform(command, {
        ask: async ({ store }) => ok(await verifyArchive(store, { practiceId })),
        json: (report) => ({ ok: report.faults.length === 0, ...report }),
        text: ({ values, bytes, faults }) =>
          [...faults.map(archiveTexts.fault), archiveTexts.verified({ values, bytes, faults: faults.length })].join(
            "\n",
          ),
        good: ({ faults }) => faults.length === 0,
      }),
    );
  archive
    .command("status")
    .description(
      "show how far archiving is, what fails, and whether the store can be reached; exit code 1 if it is needed and can't be",
    )
    .action((_: object, command: Command) =>
      perform(command, {
        ask: async ({ store }) => {
          const trouble = await store.archive?.trouble();
          const isAtHand = store.archive !== undefined && trouble === undefined;
          const [standing, failures] = [await archiveStanding(store), await listFailures(store)];
          return ok({ ...standing, failures, archive: store.archive?.name, isAtHand, trouble });
        },
        json: (standing) => standing,
        text: archiveTexts.standing,
        good: ({ isAtHand, values }) => isAtHand || values === 0,
      }),
    );
}
