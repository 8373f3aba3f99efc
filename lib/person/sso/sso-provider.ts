import * as oidc from "openid-client";
import type { SsoSettings } from "./sso-settings.ts";

/** How long what was discovered is believed; the provider may move its endpoints. Its keys are looked up sooner. */
const keptMs = 60 * 60 * 1000;

type Discovered = { readonly config: Promise<oidc.Configuration>; readonly until: number };

const discovered = new Map<string, Discovered>();

/**
 * The provider as it describes itself at its address (OpenID Connect Discovery), asked once an hour. Rejects where it
 * does not answer in time, redirects, or names itself otherwise. Every request goes over TLS, except to a provider
 * on this machine; no redirect is followed.
 */
export function providerOf(settings: SsoSettings): Promise<oidc.Configuration> {
  const name = `${settings.clientId} ${settings.issuer}`;
  const known = discovered.get(name);
  if (known && known.until > Date.now()) return known.config;
  const config = discover(settings);
  discovered.set(name, { config, until: Date.now() + keptMs });
  // What failed is asked again by whoever comes next.
  config.catch(() => discovered.delete(name));
  return config;
}

async function discover({ issuer, clientId, clientSecret, timeoutS }: SsoSettings): Promise<oidc.Configuration> {
  const isHere = issuer.startsWith("http:");
  const config = await oidc.discovery(new URL(issuer), clientId, undefined, oidc.ClientSecretBasic(clientSecret), {
    timeout: timeoutS,
    // By itself the library takes TLS for the proof of an id token that comes from the token endpoint.
    // oxlint-disable-next-line typescript/no-deprecated -- it is marked so to be noticed; the settings allow it on loopback alone
    execute: [oidc.enableNonRepudiationChecks, ...(isHere ? [oidc.allowInsecureRequests] : [])],
  });
  const page = URL.parse(config.serverMetadata().authorization_endpoint ?? "");
  if (page?.protocol !== "https:" && !(isHere && page?.protocol === "http:")) {
    throw new Error("The provider's authorization endpoint is no https address.");
  }
  return config;
}
