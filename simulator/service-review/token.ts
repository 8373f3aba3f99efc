import { json, type Call, type Reply } from "#simulator/http";
import type { Clients } from "#simulator/tokens/clients";
import type { Tokens } from "#simulator/tokens/tokens";
import { errorReply } from "./errors.ts";

/** The product every call of this wire is part of; the plan stands beside it. */
const product = "healthcare-hipaa-transactions";

export type Desk = {
  readonly clients: Clients;
  readonly tokens: Tokens;
  /** Only clients that are known get a token. */
  readonly isStrict: boolean;
};

/** POST /v1/token: client credentials by secret, as RFC 6749 4.4 has it; id and secret in the form, or in the header (2.3.1). */
export function tokenReply({ clients, tokens, isStrict }: Desk, { headers, body }: Call): Reply {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? ""))
    return problem(400, "invalid_request", "The body must be application/x-www-form-urlencoded.");
  const form = new URLSearchParams(Buffer.from(body ?? []).toString("utf8"));
  const scope = form.get("scope") ?? "";
  const inForm = [form.get("client_id") ?? "", form.get("client_secret") ?? ""];
  const inHeader = basicIn(headers.authorization);
  if (inHeader && inForm.some((part) => part !== ""))
    return problem(400, "invalid_request", "A client must not authenticate in more than one way.");
  const [clientId, secret] = inHeader ?? inForm;
  if (form.get("grant_type") !== "client_credentials")
    return problem(400, "unsupported_grant_type", "grant_type must be client_credentials.");
  if (!clientId || !secret) return problem(401, "invalid_client", "client_id and client_secret are needed.");
  const client = clients.find(clientId);
  if (client ? client.secret !== secret : isStrict)
    return problem(401, "invalid_client", "No client of ours has this secret.");
  if (!scope) return problem(400, "invalid_scope", "scope must name a product and a plan.");
  const token = tokens.issue({ clientId, scope });
  return json(200, { access_token: token, token_type: "Bearer", expires_in: tokens.seconds, scope });
}

/** Id and secret of an `Authorization: Basic` header, each form-encoded. */
function basicIn(header: string | undefined): readonly string[] | undefined {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const [id = "", ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return [id, rest.join(":")].map((part) => new URLSearchParams(`part=${part}`).get("part") ?? "");
}

/** Why a call is not let in; undefined where its token is good for this product. */
export function objectionTo({ tokens }: Desk, { headers }: Call): Reply | undefined {
  const bearer = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
  if (tokens.stateOf(bearer) !== "valid") return unauthorized();
  const scopes = tokens.scopeOf(bearer)?.split(" ") ?? [];
  return scopes.includes(product) ? undefined : errorReply(403, `The token's scope lacks ${product}.`);
}

export function unauthorized(): Reply {
  return errorReply(401, "A token that is valid now is needed.", { headers: { "WWW-Authenticate": "Bearer" } });
}

function problem(status: number, error: string, description: string): Reply {
  return json(status, { error, error_description: description });
}
