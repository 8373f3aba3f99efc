import * as oidc from "openid-client";
import type { SsoSettings } from "./sso-settings.ts";

/** How long the provider's description is cached, because it may move its endpoints. Its keys are refreshed sooner. */
const keptMs = 60 * 60 * 1000;

type Discovery = { readonly config: Promise<oidc.Configuration>; readonly until: number };

const discovered = new Map<string, Discovery>();

/**
 * The provider's description of itself (OpenID Connect Discovery), requested once an hour. Rejects where it does not
 * answer in time, redirects, or has another issuer. Every request uses TLS, except to a provider on this machine;
 * redirects are not followed.
 */
export function providerOf(settings: SsoSettings): Promise<oidc.Configuration> {
  const name = `${settings.clientId} ${settings.issuer}`;
  const known = discovered.get(name);
  if (known && known.until > Date.now()) return known.config;
  const config = discover(settings);
  discovered.set(name, { config, until: Date.now() + keptMs });
  // The next caller tries again after a failure.
  config.catch(() => discovered.delete(name));
  return config;
}

async function discover({ issuer, clientId, clientSecret, timeoutS }: SsoSettings): Promise<oidc.Configuration> {
  const isHere = issuer.startsWith("http:");
  const config = await oidc.discovery(new URL(issuer), clientId, undefined, secretIn(clientSecret), {
    timeout: timeoutS,
    // By default the library accepts TLS alone as the proof of an id token from the token endpoint.
    // oxlint-disable-next-line typescript/no-deprecated -- it is marked so to be noticed; the settings allow it on loopback alone
    execute: [oidc.enableNonRepudiationChecks, ...(isHere ? [oidc.allowInsecureRequests] : [])],
  });
  const page = URL.parse(config.serverMetadata().authorization_endpoint ?? "");
  if (page?.protocol !== "https:" && !(isHere && page?.protocol === "http:")) {
    throw new Error("The provider's authorization endpoint is no https address.");
  }
  return config;
}

/** Sends the secret by HTTP Basic, or in the form where the provider says that it takes it there and not by Basic. */
function secretIn(clientSecret: string): oidc.ClientAuth {
  const [basic, post] = [basicAuth(clientSecret), oidc.ClientSecretPost(clientSecret)];
  return (provider, ...request) => {
    const methods = provider.token_endpoint_auth_methods_supported ?? [];
    const isInForm = methods.includes("client_secret_post") && !methods.includes("client_secret_basic");
    return (isInForm ? post : basic)(provider, ...request);
  };
}

/**
 * Id and secret are encoded as in a form (RFC 6749, section 2.3.1), but only where they must be: the library encodes
 * hyphens and underscores too, which a provider that decodes nothing then takes for another secret.
 */
function basicAuth(clientSecret: string): oidc.ClientAuth {
  const encoded = (text: string) => encodeURIComponent(text).replaceAll("%20", "+");
  return (_, { client_id: id }, __, headers) => {
    headers.set("authorization", `Basic ${btoa(`${encoded(id)}:${encoded(clientSecret)}`)}`);
  };
}
