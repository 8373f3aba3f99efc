import { makeBystander, withOperator } from "../bystander/scene.ts";
import type { OneServer } from "../one-server.ts";
import { openAgents } from "./agents-process.ts";
import { makeCrowd } from "./crowd.ts";
import { measureDeliveries } from "./deliveries.ts";
import { heldCells, heldHeader, measureHeld } from "./held.ts";

export const rowNames = ["waiting calls", "webhooks"] as const;

type Row = { readonly header: readonly string[]; readonly cells: readonly string[] };

const heldCalls = 1_000;
const heldPace = { rounds: 3, stretchMs: 2_500 } as const;
const dueAtOnce = 1_000;

/** The rows of the bench that no other server has: what calls that wait cost the others, and how fast changes are told. */
export async function measureRow(name: (typeof rowNames)[number], server: OneServer): Promise<Row> {
  const { databases, processes, port } = server;
  return withOperator(databases, async (operator) => {
    const crowd = await makeCrowd(operator, port, name.replace(" ", "-"));
    const agents = await openAgents(processes);
    if (name === "webhooks") {
      const perS = await measureDeliveries({ databases, port, crowd, agents, count: dueAtOnce });
      const due = `${dueAtOnce.toLocaleString("en")} due at once`;
      return { header: ["webhooks", "deliveries/s"], cells: [due, perS.toFixed(0)] };
    }
    const bystander = await makeBystander(operator, { port, secret: databases.secrets.nextAuthSecret });
    const measured = await measureHeld({ server, crowd, agents, bystander, count: heldCalls, pace: heldPace });
    return { header: heldHeader, cells: heldCells(measured) };
  });
}
