import type { PayerAnswer } from "#lib/payer/connector";
import { pasFhir } from "#lib/payer/pas-fhir/connector";
import { aBuild, aReview } from "./build.ts";
import { aPayer, noHurry } from "./listen.ts";
import { aReplyTo, type Json } from "./reply.ts";

/** Changes a reply in place, or gives another one instead. */
export type Spoil = (reply: Json) => unknown;

type Of = { readonly memberId?: string; readonly status?: number };

/** What the connector understands of the simulated payer's reply, changed by the test, over real HTTP. */
export async function answered(spoil: Spoil, { memberId = "M1000", status = 200 }: Of = {}): Promise<PayerAnswer> {
  const url = await aPayer((request, response) => {
    request.resume().on("end", () => {
      const reply = aReplyTo(pasFhir.build(from)[0]);
      response
        .writeHead(status, { "Content-Type": "application/fhir+json" })
        .end(JSON.stringify(spoil(reply) ?? reply));
    });
  });
  const procedures = [{ code: "97110" }, { code: "97112" }];
  const from = aBuild({ url, review: aReview({ subscriber: { memberId }, procedures }) });
  return (await pasFhir.send(pasFhir.build(from), { signal: noHurry() })).answer;
}

type Bare = {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
};

/** What the connector understands of a payer that says only this, whatever it was sent. */
export async function bare({ status, headers = {}, body = "" }: Bare): Promise<PayerAnswer> {
  const url = await aPayer((request, response) => {
    request.resume().on("end", () => response.writeHead(status, headers).end(body));
  });
  return (await pasFhir.send(pasFhir.build(aBuild({ url })), { signal: noHurry() })).answer;
}
