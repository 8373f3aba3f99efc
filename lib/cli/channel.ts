import type { Command } from "commander";
import { createChannel } from "#lib/channel/create-channel";
import { callsPerSecondDefault } from "#lib/channel/channel-limits";
import { keyDaysDefault, keyDaysMax } from "#lib/channel/key-terms";
import { listChannels, type ChannelRecord } from "#lib/channel/list-channels";
import { revokeKey } from "#lib/channel/revoke-key";
import { rotateKey, type KeyRotation } from "#lib/channel/rotate-key";
import { setChannelClient } from "#lib/channel/set-channel-client";
import { setChannelWebhooks } from "#lib/channel/webhook/set-channel-webhooks";
import { changeChannelAccess } from "#lib/channel/change-channel-access";
import { setChannelOwner } from "#lib/channel/set-channel-owner";
import { resumeChannel, suspendChannel } from "#lib/channel/suspend-channel";
import { atoms } from "#lib/access/model/actor";
import { columns } from "./columns.ts";
import { commaList, perform } from "./perform.ts";
import { readSecret } from "./secret.ts";

type Create = { name: string; practices: string; atoms: string; days?: string; perSecond?: string; test?: true };
type Limits = { id: string; perSecond: string; atOnce: string };
type Rotate = { id: string; revokeOld?: true; overlap?: string; days?: string };
type Revoke = { id: string; key?: string };

const daysHelp = `days the key works, 1 to ${keyDaysMax}; ${keyDaysDefault} unless set`;

export function addChannel(program: Command): void {
  const channel = program.command("channel").description("agents' channels and their keys");
  addCreate(channel);
  channel
    .command("list")
    .description("show every channel; never a key's text")
    .action((_: object, command: Command) =>
      perform(command, { ask: (ctx) => listChannels(ctx), json: (list) => list, text: table }),
    );
  addKeys(channel);
  addLimits(channel);
  addWebhooks(channel);
  addClient(channel);
  channel
    .command("owner")
    .description("set the owner of a channel; the owner can't release its requests")
    .requiredOption("--id <id>", "which channel")
    .option("--email <email>", "the owner's email; left out, the channel has no owner")
    .action(({ id, email }: { id: string; email?: string }, command: Command) =>
      perform(command, {
        ask: (ctx) => setChannelOwner(ctx, { channelId: id, email }),
        json: () => ({ id, owner: email ?? null }),
        text: () => (email === undefined ? `Channel ${id} has no owner.` : `Channel ${id} is owned by ${email}.`),
      }),
    );
  for (const { verb, act, outcome } of statusVerbs) {
    channel
      .command(verb)
      .description(`${verb} a channel`)
      .requiredOption("--id <id>", "which channel")
      .action(({ id }: { id: string }, command: Command) =>
        perform(command, {
          ask: (ctx) => act(ctx, { channelId: id }),
          json: () => ({ id }),
          text: () => `Channel ${id} ${outcome}.`,
        }),
      );
  }
}

function addCreate(channel: Command): void {
  channel
    .command("create")
    .description("create a channel; prints {id, key}, the key only once")
    .requiredOption("--name <name>", "what people call it")
    .requiredOption("--practices <ids>", "the practices it reaches, with commas between")
    .requiredOption("--atoms <atoms>", `what it may do, with commas between: ${atoms.join(",")}`)
    .option("--days <days>", daysHelp)
    .option("--per-second <calls>", `calls a second it may make, or none; ${callsPerSecondDefault} unless set`)
    .option("--test", "a test channel, which reaches only practices of test data")
    .action(({ name, days, perSecond, test, ...lists }: Create, command: Command) =>
      perform(command, {
        ask: (ctx) =>
          createChannel(ctx, {
            name,
            practices: commaList(lists.practices),
            atoms: commaList(lists.atoms),
            keyDays: days,
            callsPerSecond: perSecond,
            environment: test ? "test" : "live",
          }),
        json: ({ id, key }) => ({ id, key }),
        text: ({ id, key }) => JSON.stringify({ id, key }),
      }),
    );
}

function addKeys(channel: Command): void {
  channel
    .command("rotate")
    .description("create a second key; prints {id, key, revoked, expiresAt}, the key only once")
    .requiredOption("--id <id>", "which channel")
    .option("--overlap <time>", "grace period for the current key: 0, 1h, 24h or 7d; 24h unless set")
    .option("--days <days>", daysHelp)
    .option("--revoke-old", "revoke the oldest active key at once")
    .action(({ id, revokeOld, overlap, days }: Rotate, command: Command) => {
      const outcome = ({ key, revoked, expiresAt }: KeyRotation) => ({ id, key, revoked, expiresAt });
      return perform(command, {
        ask: (ctx) => rotateKey(ctx, { channelId: id, revokeOld, overlap, keyDays: days }),
        json: outcome,
        text: (rotated) => JSON.stringify(outcome(rotated)),
      });
    });
  channel
    .command("revoke")
    .description("revoke a key of a channel, or all of them, at once")
    .requiredOption("--id <id>", "which channel")
    .option("--key <id>", "the public id of the one key or client; left out, every active key and the client")
    .action(({ id, key }: Revoke, command: Command) =>
      perform(command, {
        ask: (ctx) => revokeKey(ctx, { channelId: id, keyId: key }),
        json: (revoked) => ({ id, revoked }),
        text: (revoked) =>
          revoked.length === 0 ? "Nothing was left to revoke." : `Revoked at once: ${revoked.join(", ")}.`,
      }),
    );
}

function addClient(channel: Command): void {
  channel
    .command("client")
    .description("let an agent request tokens with its own keys; its JWK set is read from standard input or an address")
    .requiredOption("--id <id>", "which channel")
    .option("--jwks-url <url>", "where the agent publishes its JWK set; nothing is read from standard input then")
    .option("--days <days>", `days the keys are valid, 1 to ${keyDaysMax}; ${keyDaysMax} unless set`)
    .action(async ({ id, days, jwksUrl }: { id: string; days?: string; jwksUrl?: string }, command: Command) => {
      const keys = jwksUrl === undefined ? { jwks: await readSecret("JWK set") } : { jwksUrl };
      return perform(command, {
        ask: (ctx) => setChannelClient(ctx, { channelId: id, ...keys, keyDays: days }),
        json: ({ clientId }) => ({ id, clientId }),
        text: ({ clientId }) => `The client of channel ${id} is ${clientId}.`,
      });
    });
}

/** "none" is no limit, and would read as no call. */
const limitText = (limit: string) => (limit === "none" ? "any number" : limit);

function addLimits(channel: Command): void {
  channel
    .command("limits")
    .description("set the rate limit of a channel, over all processes")
    .requiredOption("--id <id>", "which channel")
    .requiredOption("--per-second <calls>", "calls a second, or none")
    .option("--at-once <calls>", "calls under way at once, or none; none unless set", "none")
    .action(({ id, perSecond, atOnce }: Limits, command: Command) =>
      perform(command, {
        ask: (ctx) => changeChannelAccess(ctx, { channelId: id, callsPerSecond: perSecond, callsAtOnce: atOnce }),
        json: () => ({ id }),
        text: () => `Calls of channel ${id}: ${limitText(perSecond)} a second, ${limitText(atOnce)} at once.`,
      }),
    );
  channel
    .command("networks")
    .description("set the IP allowlist of a channel")
    .requiredOption("--id <id>", "which channel")
    .requiredOption("--networks <list>", "in CIDR, with commas between; empty for anywhere")
    .action(({ id, networks }: { id: string; networks: string }, command: Command) =>
      perform(command, {
        ask: (ctx) => changeChannelAccess(ctx, { channelId: id, networks: commaList(networks) }),
        json: () => ({ id, networks: commaList(networks) }),
        text: () => `Channel ${id} may call from ${commaList(networks).join(", ") || "anywhere"}.`,
      }),
    );
}

function addWebhooks(channel: Command): void {
  channel
    .command("webhooks")
    .description("set the webhook hosts of a channel; prints {id, hosts, secret}, a new secret only once")
    .requiredOption("--id <id>", "which channel")
    .requiredOption("--hosts <list>", "with commas between; empty for no webhooks")
    .action(({ id, hosts }: { id: string; hosts: string }, command: Command) => {
      const view = ({ secret }: { secret: string | undefined }) => ({ id, hosts: commaList(hosts), secret });
      return perform(command, {
        ask: (ctx) => setChannelWebhooks(ctx, { channelId: id, hosts: commaList(hosts) }),
        json: view,
        text: (set) => JSON.stringify(view(set)),
      });
    });
}

const statusVerbs = [
  { verb: "suspend", act: suspendChannel, outcome: "suspended: all its keys are denied" },
  { verb: "resume", act: resumeChannel, outcome: "active again" },
] as const;

function table(list: readonly ChannelRecord[]): string {
  if (list.length === 0) return "There is no channel yet: make one with `channel create`.";
  return columns(
    ["ID", "NAME", "STATUS", "PRACTICES", "ATOMS", "LIVE KEYS"],
    list.map(({ id, name, status, practices, atoms: held, keys }) => [
      id,
      name,
      status,
      practices.map((practice) => practice.id).join(","),
      held.join(","),
      keys
        .filter(({ live }) => live)
        .map((key) => `${key.id} …${key.lastFour}`)
        .join(", "),
    ]),
  );
}
