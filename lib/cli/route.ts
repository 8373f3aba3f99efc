import { linesOfBusiness } from "#lib/messages/labels/lines-of-business";
import { type Command, InvalidArgumentError } from "commander";
import type { RouteSettings } from "#lib/payer/model/destination";
import { listRoutes, missesRequests, notificationStatus, type RouteRecord } from "#lib/practice/list-practices";
import { renewSubscription } from "#lib/practice/renew-subscription";
import { notificationText } from "#lib/messages/admin/practice";
import { setLineOfBusiness } from "#lib/practice/set-line-of-business";
import { setRoute } from "#lib/practice/set-route";
import { columns } from "./columns.ts";
import { perform } from "./perform.ts";
import { readSecret } from "./secret.ts";

type RouteOptions = {
  practice: string;
  payer: string;
  connector: string;
  url?: string;
  payerName?: string;
  environment?: string;
  setting: RouteSettings;
  lineOfBusiness?: string;
  credential: boolean;
};

type Bind = { practice: string; payer: string; lineOfBusiness: string };

const lines = Object.keys(linesOfBusiness).join(", ");

export function addRoute(program: Command): void {
  const route = program.command("route").description("how a practice reaches a payer");
  route
    .command("set")
    .description("activate a payer connection; its credential is read from standard input and may be empty")
    .requiredOption("--practice <id>", "whose route")
    .requiredOption("--payer <id>", "the payer, as intakes name it")
    .requiredOption("--connector <name>", "manual, pas-fhir or service-review")
    .option("--url <url>", "the payer's base address; every connector but manual needs one")
    .option("--payer-name <name>", "what people call the payer")
    .option("--environment <live|test>", "else the practice's own, and test for plain http to this machine")
    .option(
      "--setting <name=value>",
      "something the connector lets a route choose; may be given several times",
      pair,
      {},
    )
    .option("--line-of-business <id>", `whose decision times bind the payer here: ${lines}`)
    .option("--no-credential", "read nothing from standard input")
    .action((options: RouteOptions, command: Command) =>
      perform(command, {
        ask: async (ctx) =>
          setRoute(ctx, {
            practiceId: options.practice,
            payerId: options.payer,
            payerName: options.payerName,
            connector: options.connector,
            url: given(options.url),
            // Safe because the verb checks the word and refuses any other.
            environment: options.environment as "live" | "test" | undefined,
            settings: options.setting,
            lineOfBusiness: given(options.lineOfBusiness),
            credential: options.credential ? given(await readSecret("Credential, empty for none")) : undefined,
          }),
        json: (value) => ({ practice: options.practice, payer: options.payer, ...value }),
        text: ({ version, environment, superseded }) =>
          `Route of ${options.practice} to ${options.payer} in force: version ${version}, ${environment}; gates superseded: ${superseded}.`,
      }),
    );
  addUpkeep(route);
  route
    .command("list")
    .description("list the active payer connections; never a credential")
    .option("--practice <id>", "of one practice only")
    .action(({ practice }: { practice?: string }, command: Command) =>
      perform(command, { ask: (ctx) => listRoutes(ctx, { practiceId: practice }), json: (list) => list, text: table }),
    );
}

/** Commands that change a route without a new version of it. */
function addUpkeep(route: Command): void {
  route
    .command("subscribe")
    .description("have the payer send notifications with a new secret; earlier secrets stop working at once")
    .requiredOption("--practice <id>", "whose route")
    .requiredOption("--payer <id>", "the payer, as intakes name it")
    .action(({ practice, payer }: { practice: string; payer: string }, command: Command) =>
      perform(command, {
        ask: (ctx) => renewSubscription(ctx, { practiceId: practice, payerId: payer }),
        json: (value) => ({ practice, payer, ...value }),
        text: ({ ended }) =>
          `Subscriptions ended: ${ended}. The worker asks the payer anew where the route's setting "subscription" is rest-hook.`,
      }),
    );
  route
    .command("line-of-business")
    .description("set whose decision times bind the payer, without a new version of the connection")
    .requiredOption("--practice <id>", "whose route")
    .requiredOption("--payer <id>", "the payer, as intakes name it")
    .requiredOption("--line-of-business <id>", lines)
    .action(({ practice, payer, lineOfBusiness }: Bind, command: Command) =>
      perform(command, {
        ask: (ctx) => setLineOfBusiness(ctx, { practiceId: practice, payerId: payer, lineOfBusiness }),
        json: () => ({ practice, payer, lineOfBusiness }),
        text: () => `The decision times of ${payer} for ${practice} are those of ${lineOfBusiness}.`,
      }),
    );
}

function pair(text: string, before: RouteSettings): RouteSettings {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It is name=value.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text;
}

function table(list: readonly RouteRecord[]): string {
  if (list.length === 0) return "There is no payer connection: every request is submitted manually.";
  return columns(
    [
      "PRACTICE",
      "PAYER",
      "NAME",
      "VERSION",
      "CONNECTOR",
      "ENVIRONMENT",
      "LINE OF BUSINESS",
      "URL",
      "CREDENTIAL",
      "DECISION UPDATES",
    ],
    list.map((route) => [
      route.practiceId,
      route.payerId,
      route.payerName ?? "",
      String(route.version),
      route.connector,
      route.environment,
      route.lineOfBusiness ?? "unknown",
      route.url ?? "",
      route.hasCredential ? "kept" : "none",
      notificationsOf(route),
    ]),
  );
}

/** Begins with an exclamation mark where requests for more information may go unnoticed. */
function notificationsOf(route: RouteRecord): string {
  const status = notificationStatus(route);
  return `${missesRequests(status) ? "! " : ""}${notificationText(status)}`;
}
