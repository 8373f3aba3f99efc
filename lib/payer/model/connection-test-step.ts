/** One step of a connection test: its name, its result as a text without any content of the reply, and its milliseconds. */
export type ConnectionTestStep = {
  readonly name: "address" | "token" | "answer";
  readonly ok: boolean;
  readonly says: string;
  readonly ms: number;
};
