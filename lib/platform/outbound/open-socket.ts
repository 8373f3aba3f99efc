import type { LookupAddress } from "node:dns";
import { once } from "node:events";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { outboundNetworks } from "#lib/platform/env";
import { codeOf } from "./code-of.ts";
import { isLoopback, refusedNetwork, type Networks } from "./networks.ts";
import { resolveBy, type Resolve } from "./resolve.ts";

const onlyHttps = "Only https leaves this machine, and the route's address is something else.";

/** The longest that a connection may take to be open: a host that does not answer is known to be away by then. */
const connectMs = 10_000;

/** Our own certificate and its private key, both PEM, for a server that asks for one (mutual TLS). */
export type ClientCertificate = { readonly cert: string; readonly key: string };

export type Reach = {
  readonly signal: AbortSignal;
  readonly certificate?: ClientCertificate | undefined;
  /** The names of this machine by default. */
  readonly resolve?: Resolve | undefined;
  /** Networks allowed beyond the public internet; those of the settings by default. */
  readonly networks?: Networks | undefined;
};

/** An open connection, or why there is none: a sentence without credentials or content. */
export type SocketResult =
  | { readonly ok: true; readonly socket: Socket }
  | { readonly ok: false; readonly refused: boolean; readonly reason: string };

/**
 * Opens a connection to the host of a URL. Every outbound connection of this service is opened here. The name is resolved once
 * and each of its addresses is checked. The connection goes to one of the checked addresses, so a later answer of the
 * resolver has no effect. The certificate is always verified against the name. Plain http is allowed only to this machine.
 */
export async function openSocket(
  url: URL,
  { signal: whole, resolve = machineNames, networks, certificate }: Reach,
): Promise<SocketResult> {
  const signal = AbortSignal.any([whole, AbortSignal.timeout(connectMs)]);
  const secure = url.protocol === "https:";
  if (!isPrivate(url)) return refusal(onlyHttps);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = await addressesOf(host, resolve, signal);
  if (typeof addresses === "string") return { ok: false, refused: false, reason: unreachable(addresses) };
  const allowed = networks ?? outboundNetworks();
  const network = addresses.map(({ address }) => refusedNetwork(address, allowed)).find((each) => each !== undefined);
  if (network !== undefined) return refusal(`${host} leads to ${network}, which this service does not reach out to.`);
  if (!secure && !addresses.every(({ address }) => isLoopback(address))) return refusal(onlyHttps);
  const where = { host, port: Number(url.port || (secure ? 443 : 80)), lookup: only(addresses) };
  const name = isIP(host) ? {} : { servername: host };
  const socket = secure
    ? connectSecurely({ ...where, ...name, ...certificate, ALPNProtocols: ["http/1.1"], rejectUnauthorized: true })
    : connect(where);
  // Errors are handled by the reader or writer; without this listener they would end the process.
  socket.on("error", () => {});
  try {
    await once(socket, secure ? "secureConnect" : "connect", { signal });
    return { ok: true, socket };
  } catch (error) {
    socket.destroy();
    return { ok: false, refused: false, reason: unreachable(signal.aborted ? "timed out" : codeOf(error)) };
  }
}

/** Whether data sent there is encrypted or stays on this machine; member data and credentials go nowhere else. */
export function isPrivate({ protocol, hostname }: URL): boolean {
  const loopback = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && loopback);
}

/** What is wrong with an address that a person enters, as far as it can be checked without a resolver. */
export function urlNetworkProblem(url: URL, networks: Networks = outboundNetworks()): string | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const address = /^(?:.+\.)?localhost\.?$/.test(host) ? "127.0.0.1" : host;
  const network = isIP(address) ? refusedNetwork(address, networks) : undefined;
  return network && `must not lead to ${network}; OUTBOUND_PRIVATE_NETWORKS names the exceptions`;
}

function refusal(reason: string): SocketResult {
  return { ok: false, refused: true, reason };
}

function unreachable(code: string): string {
  return `The payer could not be reached (${code}).`;
}

const machineNames = resolveBy();

/** The addresses of a host, or the error code of the resolver. */
async function addressesOf(
  host: string,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly LookupAddress[] | string> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const over = Promise.withResolvers<string>();
  const stop = () => over.resolve("timed out");
  if (signal.aborted) return "timed out";
  signal.addEventListener("abort", stop, { once: true });
  try {
    const addresses = await Promise.race([resolve(host, signal), over.promise]);
    return addresses.length === 0 ? "ENOTFOUND" : addresses;
  } catch (error) {
    return codeOf(error);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A look-up function that returns the checked addresses. */
function only(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, answer) => {
    const [first] = addresses;
    if (all === true) answer(null, [...addresses]);
    else answer(null, first?.address ?? "", first?.family);
  };
}
