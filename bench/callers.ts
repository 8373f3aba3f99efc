import { createChannel } from "#lib/channel/create-channel";
import { createPractice } from "#lib/practice/create-practice";
import { setRoute } from "#lib/practice/set-route";
import { atoms } from "#lib/access/model/actor";
import { openWholeStore } from "#test/support/database/whole-store";
import { done } from "#test/support/people/admin";
import { fullReview } from "#test/support/agents/reviews";
import type { Databases } from "./databases.ts";
import type { Subject } from "./job.ts";

const practicesCount = 64;
const practicesOfChannel = 8;

/** Makes 64 practices reached by eight channels of eight each, all with a pas-fhir route to one payer. Gives who may send for which. */
export async function makeCallers({
  url,
  secrets: { sealingKey, channelKeyPepper },
}: {
  url: string;
  secrets: Databases["secrets"];
}): Promise<readonly Subject[]> {
  const [sealing, keyPepper] = [Buffer.from(sealingKey, "base64"), Buffer.from(channelKeyPepper, "base64")];
  const store = openWholeStore({ url, sealingKey: sealing, keyPepper, connectionsMax: 4 });
  const operator = { actor: { kind: "operator" }, store } as const;
  try {
    const ids = Array.from({ length: practicesCount }, (_, index) => `bench-${index + 1}`);
    for (const id of ids) {
      await done(createPractice(operator, { id, name: id, environment: "test" }));
      // Nothing is released here, so nothing is ever sent to this address.
      const route = { connector: "pas-fhir", url: "http://127.0.0.1:9/fhir", environment: "test" } as const;
      await done(setRoute(operator, { practiceId: id, payerId: fullReview.payer.id, ...route, credential: "none" }));
    }
    const callers: Subject[] = [];
    for (let at = 0; at < ids.length; at += practicesOfChannel) {
      const practices = ids.slice(at, at + practicesOfChannel);
      const { key } = await done(
        createChannel(operator, { name: `Bench ${at}`, practices, atoms, callsPerSecond: "none" }),
      );
      callers.push(...practices.map((practiceId) => ({ key, practiceId })));
    }
    return callers;
  } finally {
    await store.close();
  }
}
