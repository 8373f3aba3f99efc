import type { TLSSocket } from "node:tls";
import type { TryStep } from "#lib/payer/model/try-step";
import { openSocket } from "#lib/platform/outbound/open-socket";

type Tried = { readonly ok: boolean; readonly says: string };
type Attempt = { readonly name: TryStep["name"]; readonly run: () => Promise<Tried> };

/** Runs the steps one after the other, up to and with the first that fails, and times each. */
export async function trySteps(attempts: readonly Attempt[]): Promise<readonly TryStep[]> {
  const steps: TryStep[] = [];
  for (const { name, run } of attempts) {
    const began = performance.now();
    const { ok, says } = await run();
    steps.push({ name, ok, says, ms: Math.round(performance.now() - began) });
    if (!ok) break;
  }
  return steps;
}

/** Whether the address may be reached out to, answers, and over https shows a good certificate. Nothing is sent. */
export function tryAddress(address: string, signal: AbortSignal): Attempt {
  return {
    name: "address",
    run: async () => {
      const url = URL.parse(address);
      if (!url) return { ok: false, says: "The route's address is not a URL." };
      const opened = await openSocket(url, { signal });
      if (!opened.ok) return { ok: false, says: opened.reason };
      const { socket } = opened;
      // Safe because https is spoken over TLS alone.
      const protocol = url.protocol === "https:" ? (socket as TLSSocket).getProtocol() : null;
      socket.destroy();
      const tls = protocol === null ? "in clear, on this machine" : `with a good certificate, ${protocol}`;
      return { ok: true, says: `${url.host} answers ${tls}.` };
    },
  };
}
