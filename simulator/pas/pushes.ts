import { setTimeout as sleep } from "node:timers/promises";
import type { About } from "#simulator/about";
import { pushFaultOf, type Faults } from "#simulator/faults";
import type { Node } from "#simulator/json";

/** How long to wait before each further try. */
const usualRetryMs = [1_000, 5_000, 30_000, 120_000, 600_000];
const patienceMs = 10_000;

/** One notification on its way, as the control API shows it; never what is in it. */
export type Push = {
  readonly at: string;
  readonly subscription: string;
  readonly event: number;
  readonly trace: string | undefined;
  /** HTTP status of each try, or 0 where there was no answer. */
  readonly tries: readonly number[];
  readonly state: "waiting" | "delivered" | "failed" | "lost";
};

/** What is to be delivered where. */
export type Letter = {
  readonly subscription: string;
  readonly event: number;
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Node;
  readonly about: About;
};

/** Delivers notifications, those of one subscription one after the other; planned faults double, lose or delay them. */
export type Pushes = {
  /** True once it was taken by its receiver, false when it will not be. */
  readonly send: (letter: Letter) => Promise<boolean>;
  readonly all: () => readonly Push[];
};

type HeldPush = { readonly release: () => void };

export function createPushes({
  faults,
  retryMs = usualRetryMs,
}: {
  readonly faults: Faults;
  readonly retryMs?: readonly number[] | undefined;
}): Pushes {
  const pushes: Push[] = [];
  const lines = new Map<string, Promise<unknown>>();
  const held = new Map<string, HeldPush[]>();

  const inLine = (letter: Letter): Promise<boolean> => {
    const index = pushes.push(begun(letter)) - 1;
    const note = (change: Partial<Push>) => {
      const push = pushes[index];
      if (push) pushes[index] = { ...push, ...change };
    };
    const before = lines.get(letter.subscription) ?? Promise.resolve();
    const delivery = before.then(() => deliver(letter, { retryMs, note }));
    lines.set(letter.subscription, delivery);
    return delivery;
  };

  const send = async (letter: Letter): Promise<boolean> => {
    // A handshake is number 0, and no event that a fault could be planned for.
    const fault = letter.event === 0 ? undefined : faults.next("push", letter.about);
    switch (fault && pushFaultOf(fault)) {
      case "push-lost":
        pushes.push({ ...begun(letter), state: "lost" });
        return true;
      case "push-twice":
        return (await Promise.all([inLine(letter), inLine(letter)])).some((isTaken) => isTaken);
      case "push-id-only":
        return inLine({ ...letter, body: idOnly(letter.body) });
      case "push-late": {
        await new Promise<void>((release) => {
          held.set(letter.subscription, [...(held.get(letter.subscription) ?? []), { release }]);
          setTimeout(release, fault?.ms).unref();
        });
        return inLine(letter);
      }
      case undefined: {
        const isTaken = await inLine(letter);
        for (const { release } of held.get(letter.subscription) ?? []) release();
        held.delete(letter.subscription);
        return isTaken;
      }
    }
  };
  return { send, all: () => pushes };
}

/** R4 backport `id-only`: the status, and of what it is about the address alone. */
function idOnly(body: Node): Node {
  const entries = Array.isArray(body["entry"]) ? body["entry"] : [];
  const [status, ...focused] = entries.filter((entry) => typeof entry === "object" && entry !== null);
  return { ...body, entry: [status, ...focused.map((entry) => ({ ...entry, resource: undefined }))] };
}

function begun({ subscription, event, about }: Letter): Push {
  return { at: new Date().toISOString(), subscription, event, trace: about.trace, tries: [], state: "waiting" };
}

type Delivery = { readonly retryMs: readonly number[]; readonly note: (change: Partial<Push>) => void };

async function deliver(letter: Letter, { retryMs, note }: Delivery): Promise<boolean> {
  const tries: number[] = [];
  for (const pauseMs of [0, ...retryMs]) {
    await sleep(pauseMs, undefined, { ref: false });
    const status = await tried(letter);
    tries.push(status);
    const isTaken = status >= 200 && status < 300;
    note({ tries: [...tries], state: isTaken ? "delivered" : "waiting" });
    if (isTaken) return true;
  }
  note({ state: "failed" });
  return false;
}

async function tried({ endpoint, headers, body }: Letter): Promise<number> {
  try {
    const reply = await fetch(endpoint, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/fhir+json" },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
    });
    await reply.body?.cancel();
    return reply.status;
  } catch {
    return 0;
  }
}
