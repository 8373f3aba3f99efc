import { atoms } from "#lib/access/model/actor";
import { createChannel } from "#lib/channel/create-channel";
import { createPerson } from "#lib/person/create-person";
import { createPractice } from "#lib/practice/create-practice";
import { setRoute } from "#lib/practice/set-route";
import type { Store } from "#lib/db/db";
import { done } from "#lib/demo/demo-actors";

/** How many cases there are. */
export type SeedSize = { readonly open: number; readonly closed: number };

/** The practices of the bench: the first has half of all cases, the others share the rest. */
export const practices = Array.from({ length: 20 }, (_, index) => `bench-${String(index + 1).padStart(2, "0")}`);

/** Over whose wire, or by hand, and under which rules for their decisions. */
export const payers = [
  { id: "87042", connector: "service-review", lineOfBusiness: "medicare-advantage" },
  { id: "62308", connector: "service-review", lineOfBusiness: "group-health-plan" },
  { id: "87726", connector: "service-review", lineOfBusiness: "qhp-ffe" },
  { id: "61101", connector: "service-review", lineOfBusiness: undefined },
  { id: "60054", connector: "manual", lineOfBusiness: "medicaid-managed-care" },
] as const;

/** Whom nothing that was seeded is for: what is sent while measuring goes to it, over the wire with the most to show. */
export const freshPayer = "71412";

export type Desk = {
  readonly channelId: string;
  readonly channelKey: string;
  /** Of all practices, and of the large one alone. */
  readonly all: Reviewer;
  readonly one: Reviewer;
  /** Who has the cases that are assigned to neither. */
  readonly colleagues: readonly string[];
};

export type Reviewer = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly password: string;
};

const password = "bench desk 7731 only";
const wire = { url: "http://127.0.0.1:9/payer", credential: "bench" } as const;
const exchange = { tokenUrl: "http://127.0.0.1:9/token", scope: "bench", clientId: "bench" } as const;

/** Makes the practices, routes, people and the channel by the same acts an admin has. */
export async function makeDesk(store: Store): Promise<Desk> {
  const operator = { actor: { kind: "operator" }, store } as const;
  const reviewer = async (name: string, of: readonly string[]): Promise<Reviewer> => {
    const email = `${name.toLowerCase()}@bench.example`;
    const { id } = await done(
      createPerson(operator, { email, name, password, roles: ["reviewer"], practices: [...of] }),
    );
    return { id, name, email, password };
  };
  for (const id of practices) {
    await done(createPractice(operator, { id, name: `Practice ${id}`, environment: "test", recallWindowS: 600 }));
    await makeRoutes(store, id);
  }
  const held = { name: "Bench agent", practices: [...practices], atoms: [...atoms], callsPerSecond: "none" } as const;
  const channel = await done(createChannel(operator, held));
  const [all, one] = [await reviewer("All", practices), await reviewer("One", practices.slice(0, 1))];
  const colleagues: string[] = [];
  for (const name of ["Ada", "Ben", "Cleo", "Dora", "Emil", "Fay"])
    colleagues.push((await reviewer(name, practices)).id);
  return { channelId: channel.id, channelKey: channel.key, all, one, colleagues };
}

async function makeRoutes(store: Store, practiceId: string): Promise<void> {
  for (const { id: payerId, connector, lineOfBusiness } of payers) {
    await addRoute(store, { practiceId, payerId, connector, lineOfBusiness });
  }
  await addRoute(store, {
    practiceId,
    payerId: freshPayer,
    connector: "pas-fhir",
    lineOfBusiness: "medicare-advantage",
  });
}

type Route = {
  readonly practiceId: string;
  readonly payerId: string;
  readonly connector: string;
  readonly lineOfBusiness: string | undefined;
};

export async function addRoute(store: Store, { connector, ...route }: Route): Promise<void> {
  const operator = { actor: { kind: "operator" }, store } as const;
  const settings = connector === "service-review" ? exchange : {};
  const connection = connector === "manual" ? {} : { ...wire, settings };
  const payerName = `Payer ${route.payerId}`;
  await done(setRoute(operator, { ...route, ...connection, payerName, connector, environment: "test" }));
}
