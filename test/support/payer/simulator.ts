import { createPayer } from "#simulator/core/payer";
import type { LedgerEntry } from "#simulator/core/ledger";
import { createSimulator, type Options, type SeenRequest } from "#simulator/server";
import { listening } from "#test/support/payer/pas/listen";

type Json = Record<string, unknown>;
type Answer = { readonly status: number; readonly body: Json };

/** A payer simulator over real HTTP, for one test. */
export type RunningSimulator = {
  readonly url: string;
  readonly seen: SeenRequest[];
  readonly control: (method: string, path: string, body?: object) => Promise<Answer>;
  readonly ledger: () => Promise<LedgerEntry[]>;
  /** Posts a FHIR body to an address, such as `/fhir/Claim/$submit`. */
  readonly post: (path: string, body: object) => Promise<Answer>;
};

type SimulatorOptions = Pick<Options, "isStrict" | "tokenSeconds"> & { readonly file?: string };

/** Starts one whose fixed credential is `right`; with a file it remembers. It tries a notification four times at once. */
export async function aSimulator({ file, ...wanted }: SimulatorOptions = {}): Promise<RunningSimulator> {
  const seen: SeenRequest[] = [];
  const server = createSimulator({
    payer: createPayer({ file }),
    token: "right",
    subscriptionsFile: file && `${file}.subscriptions`,
    pushRetryMs: [0, 0, 0],
    onRequest: (each) => seen.push(each),
    ...wanted,
  });
  const url = await listening(server);
  const answerOf = async (reply: Response): Promise<Answer> => ({
    status: reply.status,
    // Safe because every address asked here answers a JSON object.
    body: (await reply.json()) as Json,
  });
  const control: RunningSimulator["control"] = async (method, path, body) =>
    answerOf(await fetch(`${url}/control/${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) }));
  return {
    url,
    seen,
    control,
    ledger: async () => (await control("GET", "ledger")).body["requests"] as LedgerEntry[],
    post: async (path, body) =>
      answerOf(
        await fetch(`${url}${path}`, {
          method: "POST",
          headers: { Authorization: "Bearer right", "Content-Type": "application/fhir+json" },
          body: JSON.stringify(body),
        }),
      ),
  };
}
