import { connectors } from "#lib/payer/connectors";
import { connectorNames, type ConnectorName } from "#lib/payer/model/destination";
import type { ServiceReview } from "#lib/task/model/service-review";
import { table } from "./table.ts";

/** The least that opens a task. */
const smallest: ServiceReview = { payer: { id: "payer-id" }, procedures: [{ code: "72148" }] };

/** The part of the page about payers that says what each connection needs, found by the checks that make `missing`. */
export function connectionNeeds(): string {
  const rows = connectorNames.map((name) => {
    const always = needsOf(name, smallest);
    const also = (more: Partial<ServiceReview>) =>
      listed(needsOf(name, { ...smallest, ...more }).filter((member) => !always.includes(member)));
    return [
      `\`${name}\``,
      listed(always),
      also({ renderingProviders: [{}] }),
      also({ patient: { subscriberRelationshipCode: "19" } }),
    ];
  });
  return `## What each connection needs

Beyond \`payer.id\` and a procedure code. What a request lacks of it comes back as \`missing\`, with what this payer needs too, its \`requiredFields\`.

${table(["connection", "every request", "each rendering provider", "a patient who is not the subscriber"], rows)}`;
}

function needsOf(name: ConnectorName, review: ServiceReview): readonly string[] {
  return connectors[name]
    .check(review)
    .map((pointer) => pointer.slice(1).replaceAll(/\/\d+/g, "[]").replaceAll("/", "."));
}

function listed(members: readonly string[]): string {
  return members.length === 0 ? "nothing more" : members.map((member) => `\`${member}\``).join(", ");
}
