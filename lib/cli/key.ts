import type { Command } from "commander";
import { replacePepper } from "#lib/channel/replace-pepper";
import { listKeys, resealPractices, rotatePracticeKey, wrapKeys } from "#lib/practice/turn-keys";
import type { ResealReport } from "#lib/db/reseal";
import { columns } from "./columns.ts";
import { perform } from "./perform.ts";

export function addKey(program: Command): void {
  const key = program.command("key").description("sealing keys: list, wrap, rotate, reseal");
  key
    .command("list")
    .description("list the keys and which key of the ring wraps each; never a key itself")
    .action((_: object, command: Command) =>
      perform(command, {
        ask: (ctx) => listKeys(ctx),
        json: (list) => list,
        text: (list) =>
          columns(
            ["PRACTICE", "USE", "VERSION", "RING KEY", "ACTIVE"],
            list.map(({ practiceId, use, version, wrappedBy, activeAt }) => [
              ...[practiceId, use, String(version), wrappedBy, activeAt.toISOString()],
            ]),
          ),
      }),
    );
  key
    .command("wrap")
    .description(
      "wrap every key with the first key of the ring, so that the others can be removed; keep them as long as any backup from before",
    )
    .action((_: object, command: Command) =>
      perform(command, {
        ask: (ctx) => wrapKeys(ctx),
        json: (value) => value,
        text: ({ wrapped, ringKey }) => `${wrapped} keys wrapped anew; all are wrapped by ${ringKey} now.`,
      }),
    );
  key
    .command("rotate")
    .description("create a new key for a practice; it is used from one minute later")
    .requiredOption("--practice <id>", "whose")
    .action(({ practice }: { practice: string }, command: Command) =>
      perform(command, {
        ask: (ctx) => rotatePracticeKey(ctx, { practiceId: practice }),
        json: (value) => value,
        text: ({ version }) =>
          `Practice ${practice} has key ${version}, which seals from a minute from now on; \`key reseal\` can follow half a minute after that.`,
      }),
    );
  key
    .command("reseal")
    .description("reseal with the newest keys what older ones sealed; can be stopped and run again at any time")
    .option("--practice <id>", "one practice only")
    .action(({ practice }: { practice?: string }, command: Command) =>
      perform(command, {
        ask: (ctx) => resealPractices(ctx, { practiceId: practice }),
        json: (value) => value,
        text: resealText,
        good: ({ unopened }) => unopened.length === 0,
      }),
    );
  addNewPepper(key);
}

function resealText({ resealed, unopened }: ResealReport): string {
  if (unopened.length === 0) return `${resealed} values sealed anew; nothing is left under an older key.`;
  const rows = unopened.map(({ practiceId, column, row }) => [practiceId, column, row]);
  const left = `${resealed} values sealed anew; ${unopened.length} do not open and are left as they are:`;
  return [left, columns(["PRACTICE", "COLUMN", "ROW"], rows)].join("\n");
}

function addNewPepper(key: Command): void {
  key
    .command("new-pepper")
    .description("accept the CHANNEL_KEY_PEPPER that is set now, after the earlier one was lost")
    .option("--yes", "keys and tokens of the earlier pepper stay refused: every channel needs a new key")
    .action(({ yes }: { yes?: true }, command: Command) => {
      if (yes !== true) return command.error("Every channel will need a new key: say --yes to go on.");
      return perform(command, {
        ask: (ctx) => replacePepper(ctx),
        json: (value) => value,
        text: ({ replaced, keys }) =>
          replaced
            ? `The pepper that is set is used from now on. ${keys} keys of channels stay refused: make new ones.`
            : "The pepper that is set is the one in use. Nothing was changed.",
        anyPepper: true,
      });
    });
}
