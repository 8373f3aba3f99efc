/**
 * A real OpenID Connect provider (`oidc-provider`) for tests: a process of its own on a loopback port, with the accounts
 * a test gives it. It says where it listens to the process that started it, and ends with it.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import Provider, { type Configuration } from "oidc-provider";
import type { AddressInfo } from "node:net";
import { client, type Account } from "./account.ts";

const accounts = new Map<string, Account>();

const server = createServer();
server.listen(0, "127.0.0.1");
await once(server, "listening");
// Safe because it listens on a TCP port.
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const provider = new Provider(issuer, configuration(process.argv.slice(2)));
/** Every token it gave to anybody, for a test to look for where none belongs. */
const tokens: string[] = [];
provider.on("grant.success", (ctx) => {
  // Safe because a token endpoint answers an object (RFC 6749, 5.1).
  const body = ctx.body as Readonly<Record<string, unknown>>;
  const given = [body["access_token"], body["id_token"], body["refresh_token"]];
  tokens.push(...given.filter((token) => typeof token === "string"));
});
const answer = provider.callback();

server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
  const path = URL.parse(incoming.url ?? "", issuer)?.pathname ?? "";
  if (path === "/control/tokens") return void outgoing.end(JSON.stringify(tokens));
  const own = path === "/control/accounts" ? setAccount : path.startsWith("/interaction/") ? interact : answer;
  return void Promise.resolve(own(incoming, outgoing)).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    outgoing.writeHead(500).end();
  });
});
process.on("disconnect", () => process.exit());
process.send?.({ issuer });

function configuration(backUrls: readonly string[]): Configuration {
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [...backUrls],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    // In the id token, as the providers of companies have it.
    conformIdTokenClaims: false,
    claims: { openid: ["sub", "groups", "email", "acr", "amr", "auth_time"] },
    acrValues: ["urn:example:two"],
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    cookies: { keys: ["tests only"] },
    ttl: { Session: 600, Interaction: 600, Grant: 600, AuthorizationCode: 60, IdToken: 600, AccessToken: 600 },
    findAccount: (_, id) => {
      const account = accounts.get(id);
      return account && { accountId: id, claims: () => ({ sub: id, ...account.claims }) };
    },
    // Everybody agrees to what this one client asks.
    loadExistingGrant: async (ctx) => {
      const { session, client: asking } = ctx.oidc;
      const grant = new ctx.oidc.provider.Grant({ accountId: session?.accountId, clientId: asking?.clientId });
      grant.addOIDCScope("openid");
      await grant.save();
      return grant;
    },
    renderError: (ctx, { error, error_description: description }) => {
      ctx.type = "text";
      ctx.body = `${error}: ${description ?? ""}`;
    },
  };
}

async function setAccount(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  // Safe because only the fixture beside this posts here.
  const { subject, ...account } = JSON.parse(await text(incoming)) as Account & { subject: string };
  accounts.set(subject, account);
  outgoing.writeHead(204).end();
}

async function interact(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (incoming.method !== "POST") {
    await provider.interactionDetails(incoming, outgoing);
    outgoing.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(loginPage);
    return;
  }
  const form = new URLSearchParams(await text(incoming));
  const login = form.get("login") ?? "";
  const { acr, amr } = accounts.get(login) ?? {};
  const result = form.has("refuse")
    ? { error: "access_denied", error_description: "They pressed Cancel." }
    : { login: { accountId: login, remember: false, ...(acr && { acr }), ...(amr && { amr: [...amr] }) } };
  await provider.interactionFinished(incoming, outgoing, result, { mergeWithLastSubmission: false });
}

const loginPage = `<!doctype html><html lang="en"><title>The provider</title><h1>The provider</h1>
<form method="post"><label>Account <input name="login"></label>
<button>Continue</button> <button name="refuse" value="yes">Cancel</button></form></html>`;
