import { setTimeout as sleep } from "node:timers/promises";

const readyMs = 15_000;

/** The payer simulator, with a clock that the demo sets. */
export type SimulatedPayer = {
  readonly url: string;
  /** Waits until it answers. */
  readonly untilReady: () => Promise<void>;
  /** Sets the payer's clock, so that its decision is dated like its case. */
  readonly setClock: (now: Date) => Promise<void>;
};

export function simulatedPayer(url: string): SimulatedPayer {
  return {
    url,
    untilReady: async () => {
      const until = performance.now() + readyMs;
      while (!(await answers(`${url}/health`))) {
        if (performance.now() > until)
          throw new Error(`The payer simulator does not answer at ${url}: read its log, then start again.`);
        await sleep(50);
      }
    },
    setClock: async (now) => {
      const body = JSON.stringify({ now: now.toISOString() });
      const reply = await fetch(`${url}/control/clock`, { method: "POST", body });
      if (!reply.ok) throw new Error(`The payer simulator would not set its clock (HTTP ${reply.status}).`);
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const reply = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  return reply?.ok === true;
}
