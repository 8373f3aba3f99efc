import type { Method } from "./job.ts";

/**
 * This service, what Node and Postgres can do, and the official SDK's server: keeping its tasks in Postgres as this
 * service does, and in memory in the version that speaks the measured protocol natively.
 */
export const servers = ["service", "bare", "sdk 1.3 Postgres", "sdk 0.3 memory"] as const;
export type Server = (typeof servers)[number];
export type Other = Exclude<Server, "service">;

/** One line of the table. What only concerns this service is compared with the others' plain line of as many clients. */
export type Cell = {
  readonly method: Method;
  readonly clients: number;
  readonly practices: "64" | "1";
  readonly intake: "smallest" | "full";
  /** How many of a task's messages a get asks for. */
  readonly historyLength: 0 | 10;
};

export function nameOf({ method, clients, practices, intake, historyLength }: Cell): string {
  const texts = [method, `${clients} clients`, practices === "1" ? "1 practice" : "64 practices"];
  return [
    ...texts,
    ...(intake === "full" ? ["full pas-fhir intake"] : []),
    ...(historyLength > 0 ? [`history of ${historyLength}`] : []),
  ].join(", ");
}

const usual = { practices: "64", intake: "smallest", historyLength: 0 } as const;
const methods = ["tasks/get", "message/send"] as const;
const plain = methods.flatMap((method) => [1, 32, 128].map((clients): Cell => ({ ...usual, method, clients })));
const withHistory = [1, 32, 128].map((clients): Cell => ({
  ...usual,
  method: "tasks/get",
  clients,
  historyLength: 10,
}));
const onOnePractice = methods.flatMap((method) =>
  [32, 128].map((clients): Cell => ({ ...usual, method, clients, practices: "1" })),
);
const full: Cell = { ...usual, method: "message/send", clients: 32, intake: "full" };

export const cells: readonly Cell[] = [...plain, ...withHistory, ...onOnePractice, full];

/** Practices, routes, reviews and the messages of a task are nothing to the others. */
export function serversOf(cell: Cell): readonly Server[] {
  return plain.includes(cell) ? servers : ["service"];
}

export function plainCellOf({ method, clients }: Cell): Cell | undefined {
  return plain.find((cell) => cell.method === method && cell.clients === clients);
}

/** At least this share of what the others serve in the plain line of as many clients. */
export function wantedOf({ method, clients, historyLength }: Cell): { readonly [Name in Other]?: number } {
  if (historyLength > 0) return clients === 1 ? {} : { bare: 0.6 };
  if (method === "tasks/get") return { bare: clients === 1 ? 0.45 : 0.7, "sdk 1.3 Postgres": 1 };
  return { bare: clients === 1 ? 0.4 : 0.5, "sdk 1.3 Postgres": 1 };
}
