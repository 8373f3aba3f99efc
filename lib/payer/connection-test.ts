import type { TLSSocket } from "node:tls";
import type { ConnectionTestStep } from "#lib/payer/model/connection-test-step";
import { openSocket } from "#lib/platform/outbound/open-socket";
import { payerReasons } from "#lib/messages/reasons/payer";

/** What a step found, and the token it fetched, if any. */
type StepResult = { readonly ok: boolean; readonly says: string; readonly bearer?: string | undefined };
type TestStep = {
  readonly name: ConnectionTestStep["name"];
  /** `bearer` is the token that the step before it fetched. */
  readonly run: (bearer: string | undefined) => Promise<StepResult>;
};

/** Runs the steps in order, stops after the first one that fails, and measures each. */
export async function runTestSteps(attempts: readonly TestStep[]): Promise<readonly ConnectionTestStep[]> {
  const steps: ConnectionTestStep[] = [];
  let fetched: string | undefined;
  for (const { name, run } of attempts) {
    const began = performance.now();
    const { ok, says, bearer } = await run(fetched);
    fetched = bearer;
    steps.push({ name, ok, says, ms: Math.round(performance.now() - began) });
    if (!ok) break;
  }
  return steps;
}

/** Tests that the address is allowed, answers, and over https has a valid certificate. It sends nothing. */
export function testAddress(address: string, signal: AbortSignal): TestStep {
  return {
    name: "address",
    run: async () => {
      const url = URL.parse(address);
      if (!url) return { ok: false, says: payerReasons.addressNoUrl };
      const opened = await openSocket(url, { signal });
      if (!opened.ok) return { ok: false, says: opened.reason };
      const { socket } = opened;
      // Safe because https always uses TLS.
      const protocol = url.protocol === "https:" ? (socket as TLSSocket).getProtocol() : null;
      socket.destroy();
      return { ok: true, says: payerReasons.answers(url.host, protocol) };
    },
  };
}
