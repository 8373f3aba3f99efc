import type { Context } from "#lib/access/context";
import { atoms, type OperatorActor } from "#lib/access/model/actor";
import { createChannel } from "#lib/channel/create-channel";
import { createPractice } from "#lib/practice/create-practice";
import { setPayer } from "#lib/practice/directory/set-payer";
import { setUnlistedPayers } from "#lib/practice/directory/set-unlisted-payers";
import { setAutoReview } from "#lib/practice/set-auto-review";
import { setRoute } from "#lib/practice/set-route";
import { done } from "./demo-actors.ts";
import { payers } from "./places.ts";

/** A practice of test data whose requests are released automatically, and a test channel that reaches it. */
export type Sandbox = { readonly practiceId: string; readonly channelId: string; readonly channelKey: string };

type Payer = { readonly simulatorUrl: string; readonly credential: string };

/** Creates the sandbox: an agent with its key comes from intake to determination without a person. */
export async function makeSandbox(operator: Context<OperatorActor>, payer: Payer): Promise<Sandbox> {
  const practiceId = "sandbox";
  await done(createPractice(operator, { id: practiceId, name: "Sandbox", environment: "test", recallWindowS: 0 }));
  await layRoutes(operator, practiceId, payer);
  for (const { id: payerId, name } of [payers.harborlight, payers.marigold])
    await done(setPayer(operator, { practiceId, payerId, name }));
  await done(setUnlistedPayers(operator, { practiceId, unlistedPayers: "manual" }));
  await done(setAutoReview(operator, { practiceId, on: true }));
  const { id: channelId, key: channelKey } = await done(
    createChannel(operator, {
      name: "Sandbox agent",
      practices: [practiceId],
      atoms,
      environment: "test",
      keyDays: 365,
      callsPerSecond: "none",
    }),
  );
  return { practiceId, channelId, channelKey };
}

async function layRoutes(operator: Context<OperatorActor>, practiceId: string, payer: Payer): Promise<void> {
  const { simulatorUrl, credential } = payer;
  const [fhir, reviews] = [payers.harborlight, payers.marigold];
  const to = { practiceId, environment: "test", credential } as const;
  const url = `${simulatorUrl}/fhir`;
  await done(setRoute(operator, { ...to, payerId: fhir.id, payerName: fhir.name, connector: "pas-fhir", url }));
  const settings = {
    tokenUrl: `${simulatorUrl}/v1/token`,
    scope: "healthcare-hipaa-transactions healthcare-hipaa-transactions-demo",
    clientId: "demo",
  };
  const { id: payerId, name: payerName } = reviews;
  await done(
    setRoute(operator, { ...to, payerId, payerName, connector: "service-review", url: simulatorUrl, settings }),
  );
}
