import type { Command } from "commander";
import { bootstrapAdmin } from "#lib/admin/bootstrap-admin";
import { createPerson } from "#lib/admin/create-person";
import { disablePerson } from "#lib/admin/disable-person";
import { listPeople, type PersonRecord } from "#lib/admin/list-people";
import { roles } from "#lib/domain/actor";
import { columns } from "./columns.ts";
import { commaList, perform } from "./perform.ts";
import { readSecret } from "./secret.ts";

type Create = { email: string; roles: string; practices: string; name?: string };
type Disable = { email?: string; id?: string };

export function addPerson(program: Command): void {
  const person = program.command("person").description("reviewers and admins: make, list, disable");
  person
    .command("create")
    .description("make a person; the password is read from standard input")
    .requiredOption("--email <email>", "what they sign in with")
    .requiredOption("--roles <roles>", `with commas between: ${roles.join(",")}`)
    .option("--practices <ids>", "the practices a reviewer decides for, with commas between", "")
    .option("--name <name>", "shown beside what they decide; else the first part of the email")
    .action((options: Create, command: Command) =>
      perform(command, {
        ask: async (ctx) =>
          createPerson(ctx, {
            email: options.email,
            name: options.name,
            roles: commaList(options.roles),
            practices: commaList(options.practices),
            password: await readSecret("Password"),
          }),
        json: ({ id }) => ({ id }),
        text: ({ id }) => `Person ${id} made.`,
      }),
    );
  person
    .command("list")
    .description("show everybody who can or could sign in")
    .action((_: object, command: Command) =>
      perform(command, { ask: (ctx) => listPeople(ctx), json: (list) => list, text: table }),
    );
  person
    .command("disable")
    .description("close an account and end its sessions")
    .option("--email <email>", "whose, by email")
    .option("--id <id>", "whose, by id")
    .action((options: Disable, command: Command) =>
      perform(command, {
        ask: (ctx) => disablePerson(ctx, options),
        json: (value) => value,
        text: ({ id, sessionsEnded }) => `Person ${id} disabled; sessions ended: ${sessionsEnded}.`,
      }),
    );
}

export function addBootstrap(program: Command): void {
  program
    .command("bootstrap")
    .description("make the first admin; the password is read from standard input")
    .requiredOption("--email <email>", "what they sign in with")
    .option("--name <name>", "else the first part of the email")
    .action(({ email, name }: { email: string; name?: string }, command: Command) =>
      perform(command, {
        ask: async (ctx) => bootstrapAdmin(ctx, { email, name, password: await readSecret("Password") }),
        json: ({ id }) => ({ id }),
        text: () => `The first admin is made and can sign in as ${email}.`,
      }),
    );
}

function table(list: readonly PersonRecord[]): string {
  if (list.length === 0) return "There is nobody yet: make the first admin with `bootstrap`.";
  return columns(
    ["ID", "EMAIL", "NAME", "ROLES", "PRACTICES", "STATUS"],
    list.map((person) => [
      person.id,
      person.email,
      person.name,
      person.roles.join(","),
      person.practices.join(","),
      person.status,
    ]),
  );
}
