import type { Command } from "commander";
import { linkPerson, unlinkPerson } from "#lib/person/link-person";
import { env } from "#lib/platform/env";
import { perform } from "./perform.ts";

type Link = { email?: string; id?: string; subject: string; issuer?: string };
type Unlink = Omit<Link, "subject">;

const issuerOption = ["--issuer <url>", "the provider, as it names itself (OIDC_ISSUER)"] as const;

/** Who somebody is to the provider they sign in with. */
export function addLinks(person: Command): void {
  person
    .command("link")
    .description("let somebody sign in as a subject of the provider; an email links nobody")
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
    .description("undo a link and end the sessions begun through it")
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
