/** One step of trying a route's connection: what was tried, how it went in words without contents, and how long it took. */
export type TryStep = {
  readonly name: "address" | "token" | "answer";
  readonly ok: boolean;
  readonly says: string;
  readonly ms: number;
};
