import { isNode, nodeAt, nodesAt, textAt, type Node } from "#simulator/json";

/** Who may ask for tokens: by public keys (here or at an address), or by a secret. */
export type Client = {
  readonly clientId: string;
  readonly jwks: readonly Node[] | undefined;
  readonly jwksUrl: string | undefined;
  readonly secret: string | undefined;
};

export type Clients = {
  /** Takes a client, in place of one of the same id. */
  readonly register: (client: Client) => void;
  readonly find: (clientId: string) => Client | undefined;
  readonly ids: () => readonly string[];
};

export function createClients(known: readonly Client[] = []): Clients {
  const byId = new Map(known.map((client) => [client.clientId, client]));
  return {
    register: (client) => void byId.set(client.clientId, client),
    find: (clientId) => byId.get(clientId),
    ids: () => [...byId.keys()],
  };
}

/** Reads `{clientId, jwks: {keys: […]} or jwksUrl or secret}`; undefined where it is none. */
export function clientOf(value: unknown): Client | undefined {
  if (!isNode(value)) return undefined;
  const clientId = textAt(value, "clientId") ?? "";
  const jwks = "jwks" in value ? nodesAt(nodeAt(value, "jwks"), "keys") : undefined;
  const jwksUrl = textAt(value, "jwksUrl");
  const secret = textAt(value, "secret");
  const proofs = [jwks, jwksUrl, secret].filter((each) => each !== undefined);
  return clientId !== "" && proofs.length === 1 ? { clientId, jwks, jwksUrl, secret } : undefined;
}

/** Reads a JSON list of clients, as a setting holds it. */
export function clientsIn(text: string): readonly Client[] {
  const value: unknown = JSON.parse(text);
  return Array.isArray(value) ? value.flatMap((each) => clientOf(each) ?? []) : [];
}

/** The public keys of a client, fetched anew where they are at an address. */
export async function keysOf({ jwks, jwksUrl }: Client): Promise<readonly Node[]> {
  if (jwks) return jwks;
  if (jwksUrl === undefined) return [];
  const reply = await fetch(jwksUrl, { signal: AbortSignal.timeout(5_000), redirect: "error" }).catch(() => undefined);
  const value: unknown = reply?.ok ? await reply.json().catch(() => undefined) : undefined;
  return isNode(value) ? nodesAt(value, "keys") : [];
}
