import { randomInt } from "node:crypto";
import { changePracticeSettings } from "#lib/practice/change-practice-settings";
import { createChannel } from "#lib/channel/create-channel";
import { createPerson } from "#lib/person/create-person";
import { createPractice } from "#lib/practice/create-practice";
import { setChannelOwner } from "#lib/channel/set-channel-owner";
import { setPayer } from "#lib/practice/directory/set-payer";
import { setPayerRules } from "#lib/practice/directory/set-payer-rules";
import { setUnlistedPayers } from "#lib/practice/directory/set-unlisted-payers";
import { setRoute } from "#lib/practice/set-route";
import type { Context } from "#lib/access/context";
import { atoms, type Atom, type ChannelActor, type OperatorActor, type PersonActor } from "#lib/access/model/actor";
import { grantsOf, powersOf } from "#lib/access/model/grant";
import type { AgentKey } from "./demo-case.ts";
import { done } from "./demo-actors.ts";
import { cardiacImaging, directories, payerLines, payers, practices, routes, type PracticeKey } from "./places.ts";

type Operator = Context<OperatorActor>;
export type SignIn = { readonly email: string; readonly password: string };

/** The channels and people of the demo practices. */
export type DemoPlaces = {
  readonly agents: Readonly<Record<AgentKey, ChannelActor>>;
  readonly channelKey: string;
  readonly reviewer: SignIn & { readonly actor: PersonActor };
  readonly admin: SignIn;
};

/** The recall window of the finished demo in seconds; it is 0 while the cases are created. */
const recallWindowS = 10;
const gateExpiryDays = 14;
export const timeZone = "America/Chicago";

type PlaceOptions = { readonly simulatorUrl: string; readonly credential: string };

export async function place(operator: Operator, options: PlaceOptions): Promise<DemoPlaces> {
  for (const practice of Object.values(practices)) {
    const settings = { environment: "test", recallWindowS: 0, gateExpiryDays, timeZone } as const;
    await done(createPractice(operator, { ...practice, ...settings }));
  }
  await layRoutes(operator, options);
  await listPayers(operator);
  const desk = await channel(operator, { name: "Front desk agent", practices: ["spine", "cardiology"], atoms });
  const overnight = await channel(operator, {
    name: "Overnight intake agent",
    practices: ["cardiology", "sleep"],
    atoms: ["prior_auth_intake", "tasks_get", "tasks_cancel"],
  });
  const fax = await channel(operator, { name: "Fax bridge", practices: ["cardiology"], atoms: ["prior_auth_intake"] });
  const here = await people(operator);
  for (const { actor } of [desk, overnight, fax])
    await done(setChannelOwner(operator, { channelId: actor.id, email: here.admin.email }));
  return {
    agents: { desk: desk.actor, overnight: overnight.actor, fax: fax.actor },
    channelKey: desk.key,
    ...here,
  };
}

/** Sets the recall window of every practice, after the cases are created. */
export async function openForBusiness(operator: Operator): Promise<void> {
  for (const { id: practiceId } of Object.values(practices)) {
    const settings = { recallWindowS, gateExpiryDays, environment: "test", timeZone } as const;
    await done(changePracticeSettings(operator, { practiceId, ...settings }));
  }
}

async function layRoutes(operator: Operator, { simulatorUrl, credential }: PlaceOptions): Promise<void> {
  const settings = {
    tokenUrl: `${simulatorUrl}/v1/token`,
    scope: "healthcare-hipaa-transactions healthcare-hipaa-transactions-demo",
    clientId: "demo",
  };
  const settingsByConnector = {
    manual: {},
    "pas-fhir": { url: `${simulatorUrl}/fhir`, credential },
    "service-review": { url: simulatorUrl, credential, settings },
  };
  for (const [practice, payer, connector] of routes) {
    const to = settingsByConnector[connector];
    const { id: payerId, name: payerName } = payers[payer];
    const lineOfBusiness = payerLines[payer];
    const practiceId = practices[practice].id;
    await done(
      setRoute(operator, { practiceId, payerId, payerName, connector, lineOfBusiness, environment: "test", ...to }),
    );
  }
}

/** The payer directories, with who reviews what for whom. */
async function listPayers(operator: Operator): Promise<void> {
  for (const [practice, { unlistedPayers, listed }] of directories) {
    const practiceId = practices[practice].id;
    for (const [payer, aliases] of listed) {
      const { id: payerId, name } = payers[payer];
      await done(setPayer(operator, { practiceId, payerId, name, aliases }));
    }
    await done(setUnlistedPayers(operator, { practiceId, unlistedPayers }));
  }
  const of = { practiceId: practices.cardiology.id, payerId: payers.harborlight.id };
  await done(setPayerRules(operator, { ...of, rules: [cardiacImaging] }));
}

type ChannelSpec = {
  readonly name: string;
  readonly practices: readonly PracticeKey[];
  readonly atoms: readonly Atom[];
};

async function channel(operator: Operator, { name, practices: reached, atoms: held }: ChannelSpec) {
  const ids = reached.map((practice) => practices[practice].id);
  const terms = { keyDays: 365, callsPerSecond: "none" } as const;
  const { id, key } = await done(createChannel(operator, { name, practices: ids, atoms: held, ...terms }));
  const actor: ChannelActor = { kind: "channel", id, practices: ids, atoms: held };
  return { key, actor };
}

async function people(operator: Operator): Promise<Pick<DemoPlaces, "reviewer" | "admin">> {
  const reviewed = [practices.spine.id, practices.cardiology.id];
  const reviewer = { email: "dana.whitfield@demo.example", name: "Dana Whitfield", password: aPassword() };
  const admin = { email: "morgan.reyes@demo.example", name: "Morgan Reyes", password: aPassword() };
  const { id } = await done(createPerson(operator, { ...reviewer, roles: ["reviewer"], practices: reviewed }));
  await done(createPerson(operator, { ...admin, roles: ["admin"], practices: [] }));
  const actor = { kind: "person", id, name: reviewer.name, ...powersOf(grantsOf(["reviewer"], reviewed)) } as const;
  return {
    reviewer: { email: reviewer.email, password: reviewer.password, actor },
    admin: { email: admin.email, password: admin.password },
  };
}

const alphabet = "abcdefghjkmnpqrstuvwxyz23456789";

/** Four groups of four letters and digits without similar ones: 79 bits. */
function aPassword(): string {
  const group = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}
