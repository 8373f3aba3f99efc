import type { Command } from "commander";
import { listGroups, mapGroup, unmapGroup, type GroupRecord } from "#lib/person/map-group";
import { env } from "#lib/platform/env";
import { roles } from "#lib/access/model/actor";
import { columns } from "./columns.ts";
import { perform } from "./perform.ts";

type Options = { group: string; role: string; practice?: string; issuer?: string };

/** Maps groups of the single sign-on provider to roles. */
export function addGroup(program: Command): void {
  const group = program.command("group").description("groups of the single sign-on provider, and the roles they give");
  const halves = [
    { name: "map", description: "give a role to the members of a group, from their next sign-in on" },
    {
      name: "unmap",
      description: "remove the role from the group, and at once from people who have it by that group alone",
    },
  ] as const;
  for (const { name, description } of halves)
    group
      .command(name)
      .description(description)
      .requiredOption("--group <name>", "as the provider names it, to the letter")
      .requiredOption("--role <role>", `one of ${roles.join(", ")}`)
      .option("--practice <id>", "the practice; unless set, every practice")
      .option("--issuer <url>", "the provider, as it names itself (OIDC_ISSUER)")
      .action((options: Options, command: Command) =>
        name === "map" ? map(options, command) : unmap(options, command),
      );
  group
    .command("list")
    .description("show the role that each group gives")
    .action((_: object, command: Command) =>
      perform(command, { ask: (ctx) => listGroups(ctx), json: (list) => list, text: table }),
    );
}

function inputOf({ practice, issuer = env().OIDC_ISSUER ?? "", ...options }: Options) {
  return { ...options, issuer, practiceId: practice };
}

const whereOf = ({ practice }: Options) => practice ?? "every practice";

function map(options: Options, command: Command): Promise<void> {
  return perform(command, {
    ask: (ctx) => mapGroup(ctx, inputOf(options)),
    json: () => ({ ...options }),
    text: () => `Group ${options.group} gives ${options.role} in ${whereOf(options)}.`,
  });
}

function unmap(options: Options, command: Command): Promise<void> {
  return perform(command, {
    ask: (ctx) => unmapGroup(ctx, inputOf(options)),
    json: (value) => value,
    text: ({ peopleChanged }) =>
      `Group ${options.group} gives ${options.role} in ${whereOf(options)} no longer; people it was taken from: ${peopleChanged}.`,
  });
}

function table(list: readonly GroupRecord[]): string {
  if (list.length === 0) return "No group gives anything yet: `group map` says what one gives.";
  return columns(
    ["GROUP", "ROLE", "PRACTICE", "PROVIDER"],
    list.map(({ group, role, practiceId = "every", issuer }) => [group, role, practiceId, issuer]),
  );
}
