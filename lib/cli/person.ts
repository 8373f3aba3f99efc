import { linkHours } from "#lib/person/model/link-hours";
import type { Command } from "commander";
import { bootstrapAdmin } from "#lib/person/bootstrap-admin";
import { changeGrants } from "#lib/person/change-grants";
import { createPerson } from "#lib/person/create-person";
import { disablePerson } from "#lib/person/disable-person";
import { enablePerson } from "#lib/person/enable-person";
import { invitePerson } from "#lib/person/invite-person";
import { listPeople, type PersonRecord } from "#lib/person/list-people";
import { roles } from "#lib/access/model/actor";
import { rolesRecord, type Grant } from "#lib/access/model/grant";
import { columns } from "./columns.ts";
import { commaList, perform } from "./perform.ts";
import { readSecret } from "./secret.ts";
import { resetSecondFactor } from "#lib/person/reset-second-factor";
import { linkPerson, unlinkPerson } from "#lib/person/link-person";
import { env } from "#lib/platform/env";

type Create = { email: string; roles: string; practices: string; name?: string };
type Grants = { email: string; roles: string; practices: string };
type Disable = { email?: string; id?: string };

export function addPerson(program: Command): void {
  const person = program
    .command("person")
    .description("people: invite, create, list, give and remove roles, link, deactivate, reactivate");
  person
    .command("create")
    .description("create a person; the password is read from standard input")
    .requiredOption("--email <email>", "what they sign in with")
    .requiredOption("--roles <roles>", `with commas between: ${roles.join(",")}`)
    .option("--practices <ids>", "the practices of these roles, separated by commas; unless set, every practice", "")
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
    .description("list all accounts, also deactivated ones")
    .action((_: object, command: Command) =>
      perform(command, { ask: (ctx) => listPeople(ctx), json: (list) => list, text: table }),
    );
  addGrants(person);
  addLinks(person);
  addFactors(person);
  addOpening(person);
  person
    .command("deactivate")
    .alias("disable")
    .description("deactivate an account and end its sessions")
    .option("--email <email>", "whose, by email")
    .option("--id <id>", "whose, by id")
    .action((options: Disable, command: Command) =>
      perform(command, {
        ask: (ctx) => disablePerson(ctx, options),
        json: (value) => value,
        text: ({ id, sessionsEnded }) => `Person ${id} deactivated; sessions ended: ${sessionsEnded}.`,
      }),
    );
}

/** Both commands call the same verb. */
function addGrants(person: Command): void {
  const halves = [
    ["grant", "give roles", "add"],
    ["revoke", "remove roles", "remove"],
  ] as const;
  for (const [name, description, half] of halves)
    person
      .command(name)
      .description(`${description}, from the next request on`)
      .requiredOption("--email <email>", "whose")
      .requiredOption("--roles <roles>", `with commas between: ${roles.join(",")}`)
      .option("--practices <ids>", "the practices, separated by commas; unless set, every practice", "")
      .action((options: Grants, command: Command) =>
        perform(command, {
          ask: (ctx) => changeGrants(ctx, { email: options.email, [half]: requestedGrants(options) }),
          json: (value) => value,
          text: ({ id, grants }) => `Person ${id} is now ${grantsText(grants) || "nothing anywhere"}.`,
        }),
      );
}

function requestedGrants({ roles: held, practices }: Grants) {
  const named = commaList(practices);
  return commaList(held).flatMap((role) =>
    named.length === 0 ? [{ role }] : named.map((practiceId) => ({ role, practiceId })),
  );
}

function grantsText(grants: readonly Grant[]): string {
  return rolesRecord(grants)
    .map(({ role, practices }) => `${role}: ${practices === "every" ? "every practice" : practices.join(",")}`)
    .join("; ");
}

type PersonReference = { email?: string; id?: string };

function addOpening(person: Command): void {
  person
    .command("invite")
    .description("invite a person to choose a password; prints the end of the link, only once")
    .requiredOption("--email <email>", "whom")
    .requiredOption("--roles <roles>", `with commas between: ${roles.join(",")}`)
    .option("--practices <ids>", "the practices, separated by commas; unless set, every practice", "")
    .action((options: Grants, command: Command) =>
      perform(command, {
        ask: (ctx) => invitePerson(ctx, { email: options.email, roles: requestedGrants(options) }),
        json: (invited) => invited,
        text: (invited) =>
          "awaiting" in invited
            ? `The invitation of ${invited.email} awaits a second admin.`
            : `Person ${invited.id} invited. Within ${linkHours} hours they open /invite#${invited.token} on this service.`,
      }),
    );
  person
    .command("reactivate")
    .alias("enable")
    .description("reactivate a deactivated account with the roles it had")
    .option("--email <email>", "whose, by email")
    .option("--id <id>", "whose, by id")
    .action((options: PersonReference, command: Command) =>
      perform(command, {
        ask: (ctx) => enablePerson(ctx, options),
        json: (value) => value,
        text: ({ id }) => `Person ${id} reactivated.`,
      }),
    );
}

export function addBootstrap(program: Command): void {
  program
    .command("bootstrap")
    .description("create the first admin; the password is read from standard input")
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
  if (list.length === 0) return "There are no people yet: create the first admin with `bootstrap`.";
  return columns(
    ["ID", "EMAIL", "NAME", "ROLES", "STATUS"],
    list.map((person) => [person.id, person.email, person.name, grantsText(person.grants), person.status]),
  );
}

/** For whoever lost what they prove themselves with. */
function addFactors(person: Command): void {
  person
    .command("reset-second-factor")
    .description("remove a person's passkeys, authenticator app and recovery codes, and end their sessions")
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

type Link = { email?: string; id?: string; subject: string; issuer?: string };
type Unlink = Omit<Link, "subject">;

const issuerOption = ["--issuer <url>", "the provider, as it names itself (OIDC_ISSUER)"] as const;

/** Who somebody is to the provider they sign in with. */
function addLinks(person: Command): void {
  person
    .command("link")
    .description("link a person to a subject of the provider, so that they can sign in with it")
    .option("--email <email>", "whom, by email")
    .option("--id <id>", "whom, by id")
    .requiredOption("--subject <sub>", "who they are to the provider; it is on the page that refused them")
    .option(...issuerOption)
    .action(({ issuer = env().OIDC_ISSUER ?? "", ...options }: Link, command: Command) =>
      perform(command, {
        ask: (ctx) => linkPerson(ctx, { ...options, issuer }),
        json: (value) => value,
        text: ({ id }) => `Person ${id} linked.`,
      }),
    );
  person
    .command("unlink")
    .description("unlink a person and end the sessions begun through the link")
    .option("--email <email>", "whom, by email")
    .option("--id <id>", "whom, by id")
    .option(...issuerOption)
    .action(({ issuer = env().OIDC_ISSUER ?? "", ...options }: Unlink, command: Command) =>
      perform(command, {
        ask: (ctx) => unlinkPerson(ctx, { ...options, issuer }),
        json: (value) => value,
        text: ({ id, sessionsEnded }) => `Person ${id} unlinked; sessions ended: ${sessionsEnded}.`,
      }),
    );
}
