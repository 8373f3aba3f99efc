import { atoms } from "#lib/domain/actor";
import { createChannel } from "#lib/admin/create-channel";
import { createPerson } from "#lib/admin/create-person";
import { createPractice } from "#lib/admin/create-practice";
import { setRoute } from "#lib/admin/set-route";
import { openStore } from "#lib/store/db";
import type { Databases } from "../databases.ts";

/** The practices of the bench: the first has half of all cases, the others share the rest. */
export const practices = Array.from({ length: 20 }, (_, index) => `bench-${String(index + 1).padStart(2, "0")}`);
export const payers = ["87042", "60054", "62308", "87726", "61101"] as const;

export type Desk = {
  readonly channelId: string;
  readonly channelKey: string;
  /** Of all practices, and of the large one alone. */
  readonly all: Reviewer;
  readonly one: Reviewer;
};

export type Reviewer = { readonly id: string; readonly email: string; readonly password: string };

const password = "bench desk 7731 only";
const lines = ["medicare-advantage", "medicaid-managed-care", "group-health-plan", "qhp-ffe", undefined] as const;

/** Makes the practices, routes, people and the channel by the same acts an admin has. */
export async function makeDesk({ url, secrets }: { url: string; secrets: Databases["secrets"] }): Promise<Desk> {
  const [sealingKey, keyPepper] = [
    Buffer.from(secrets.sealingKey, "base64"),
    Buffer.from(secrets.channelKeyPepper, "base64"),
  ];
  const store = openStore({ url, sealingKey, keyPepper, connectionsMax: 4 });
  const operator = { actor: { kind: "operator" }, store } as const;
  const reviewer = async (name: string, of: readonly string[]): Promise<Reviewer> => {
    const email = `${name}@bench.example`;
    const made = await createPerson(operator, { email, name, password, roles: ["reviewer"], practices: [...of] });
    if (!made.ok) throw new Error(`The reviewer was refused: ${made.refusal.type}`);
    return { id: made.value.id, email, password };
  };
  try {
    for (const id of practices) {
      await createPractice(operator, { id, name: `Practice ${id}`, environment: "test", recallWindowS: 600 });
      for (const [index, payerId] of payers.entries()) {
        const payer = { payerId, payerName: `Payer ${payerId}`, lineOfBusiness: lines[index] };
        await setRoute(operator, { practiceId: id, connector: "manual", environment: "test", ...payer });
      }
    }
    const channel = await createChannel(operator, {
      name: "Bench agent",
      practices: [...practices],
      atoms: [...atoms],
      callsPerSecond: "none",
    });
    if (!channel.ok) throw new Error(`The channel was refused: ${channel.refusal.type}`);
    const [all, one] = [await reviewer("all", practices), await reviewer("one", practices.slice(0, 1))];
    return { channelId: channel.value.id, channelKey: channel.value.key, all, one };
  } finally {
    await store.close();
  }
}
