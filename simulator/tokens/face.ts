import type { Answer, PayerRequest, Face } from "#simulator/face";
import { json, type Call, type Reply } from "#simulator/http";
import { createAssertions, type Assertions } from "./assertion.ts";
import type { Clients } from "./clients.ts";
import type { Tokens } from "./tokens.ts";

type Desk = { readonly clients: Clients; readonly tokens: Tokens; readonly assertions: Assertions };

const tokenPath = "/auth/token";
const configurationPath = "/.well-known/smart-configuration";
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const scopePattern = /^system\/(?:[A-Za-z]+|\*)\.(?:read|write|\*|(?=[cruds])c?r?u?d?s?)$/;

/** SMART Backend Services: discovery under every base address, and the token endpoint. */
export function tokenFace({ clients, tokens }: { readonly clients: Clients; readonly tokens: Tokens }): Face {
  const desk: Desk = { clients, tokens, assertions: createAssertions(clients) };
  return {
    open: (call) => Promise.resolve(open(desk, call)),
    refuse: (refusal) => {
      switch (refusal) {
        case "unauthorized":
          return problem(401, "invalid_client", "Refused by a planned fault.");
        case "invalid":
          return problem(400, "invalid_request", "Refused by a planned fault.");
        case "rate-limited":
        case "unavailable":
          return { status: refusal === "unavailable" ? 503 : 429, type: "text/plain", body: refusal };
        case "broken":
          return { status: 500, type: "text/plain", body: "internal error" };
      }
    },
  };
}

function open(desk: Desk, call: Call): PayerRequest | Reply | undefined {
  const { method, url } = call;
  if (method === "GET" && url.pathname.endsWith(configurationPath)) return configuration(call);
  if (url.pathname !== tokenPath) return undefined;
  if (method !== "POST") return { ...problem(405, "invalid_request", "This is a POST."), headers: { Allow: "POST" } };
  return { operation: "token", about: {}, answer: () => answer(desk, call) };
}

function configuration(call: Call): Reply {
  return json(200, {
    token_endpoint: tokenUrl(call),
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["RS384", "ES384"],
    scopes_supported: ["system/*.cruds"],
    capabilities: ["client-confidential-asymmetric", "permission-v2"],
  });
}

/** The address as the client wrote it, which an assertion must name. */
function tokenUrl({ headers }: Call): string {
  return `http://${headers.host ?? "localhost"}${tokenPath}`;
}

async function answer({ tokens, assertions }: Desk, call: Call): Promise<Answer> {
  const { headers, body } = call;
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? ""))
    return refused(problem(400, "invalid_request", "The body must be application/x-www-form-urlencoded."));
  const form = new URLSearchParams(Buffer.from(body ?? []).toString("utf8"));
  if (form.get("grant_type") !== "client_credentials")
    return refused(problem(400, "unsupported_grant_type", "grant_type must be client_credentials."));
  const scope = form.get("scope") ?? "";
  if (scope === "" || !scope.split(" ").every((each) => scopePattern.test(each)))
    return refused(problem(400, "invalid_scope", "scope must be system scopes."));
  if (form.get("client_assertion_type") !== assertionType)
    return refused(problem(400, "invalid_request", `client_assertion_type must be ${assertionType}.`));
  const proven = await assertions.prove(form.get("client_assertion") ?? "", tokenUrl(call));
  if (!proven.ok) return refused(problem(401, "invalid_client", `The assertion is refused: ${proven.problem}.`));
  const token = tokens.issue({ clientId: proven.clientId, scope });
  const reply = json(200, { access_token: token, token_type: "bearer", expires_in: tokens.seconds, scope });
  return { ...refused({ ...reply, headers: { Pragma: "no-cache" } }), accepted: true };
}

function problem(status: number, error: string, description: string): Reply {
  return json(status, { error, error_description: description });
}

/** There is nobody else a token could be about, and no mark on it. */
function refused(reply: Reply): Answer {
  return { reply, accepted: false, spoiled: () => reply };
}
