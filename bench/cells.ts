import type { Method } from "./job.ts";

/** This service, what Node and Postgres can do, and the official SDK's server in both versions that agents meet. */
export const servers = ["service", "bare", "sdk 1.3", "sdk 0.3"] as const;
export type Server = (typeof servers)[number];
export type Other = Exclude<Server, "service">;

/** One line of the table. What only concerns this service is compared with the others' plain line of as many clients. */
export type Cell = {
  readonly method: Method;
  readonly clients: number;
  readonly practices: "64" | "1";
  readonly intake: "smallest" | "full";
};

export function nameOf({ method, clients, practices, intake }: Cell): string {
  const words = [method, `${clients} clients`, practices === "1" ? "1 practice" : "64 practices"];
  return [...words, ...(intake === "full" ? ["full pas-fhir intake"] : [])].join(", ");
}

const methods = ["tasks/get", "message/send"] as const;
const plain = methods.flatMap((method) =>
  [1, 32, 128].map((clients): Cell => ({ method, clients, practices: "64", intake: "smallest" })),
);
const onOnePractice = methods.flatMap((method) =>
  [32, 128].map((clients): Cell => ({ method, clients, practices: "1", intake: "smallest" })),
);
const full: Cell = { method: "message/send", clients: 32, practices: "64", intake: "full" };

export const cells: readonly Cell[] = [...plain, ...onOnePractice, full];

/** Practices, routes and reviews are nothing to the others. */
export function serversOf(cell: Cell): readonly Server[] {
  return plain.includes(cell) ? servers : ["service"];
}

export function plainCellOf({ method, clients }: Cell): Cell | undefined {
  return plain.find((cell) => cell.method === method && cell.clients === clients);
}

/** At least this share of what the others serve; the SDK is the one its makers ship today. */
export const wanted: Readonly<Record<Method, { readonly [Name in Other]?: number }>> = {
  "tasks/get": { bare: 0.7, "sdk 1.3": 1.5 },
  "message/send": { bare: 0.5, "sdk 1.3": 1 },
};
