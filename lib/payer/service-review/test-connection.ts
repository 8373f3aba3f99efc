import { z } from "zod";
import { payerReasons } from "#lib/messages/reasons/payer";
import type { Destination } from "#lib/payer/model/destination";
import type { Transport } from "#lib/payer/connector";
import { exchange } from "#lib/platform/outbound/exchange";
import { jsonOf } from "#lib/payer/tokens";
import { testAddress, runTestSteps } from "#lib/payer/connection-test";
import { clientProof } from "#lib/payer/client-certificate";
import { readSettings } from "./settings.ts";
import { tokenSource } from "./exchange.ts";

const page = z.object({ count: z.number(), configurations: z.array(z.unknown()) });

/** Fetches a token and asks for the rules of service reviews, which are about no patient (`GET /v1/configurations`). */
export function testConnection(to: Destination, { credential, signal }: Transport) {
  const settings = readSettings(to);
  const proof = credential === undefined ? undefined : clientProof(credential, settings.clientCertificate);
  const token = async () => {
    if (!proof) return { ok: false, says: payerReasons.noClientSecret };
    if (!proof.ok) return { ok: false, says: proof.refusal };
    const fetched = await tokenSource(settings, proof.value).fetch(signal);
    if (!fetched.ok) return { ok: false, says: fetched.reason };
    return { ok: true, says: payerReasons.clearinghouseGaveToken, bearer: fetched.value };
  };
  const answer = async (bearer: string | undefined) => {
    const query = new URLSearchParams({ type: "service-reviews", payerId: to.payerId });
    const url = `${(to.url ?? "").replace(/\/+$/, "")}/v1/configurations?${query.toString()}`;
    const call = { method: "GET", url, contentType: "application/json", body: new Uint8Array() };
    const certificate = proof?.ok ? proof.value.certificate : undefined;
    const reply = await exchange(call, { credential: bearer, signal, certificate });
    if (reply.kind !== "reply") return { ok: false, says: reply.reason };
    const read = page.safeParse(jsonOf(reply.bytes));
    if (reply.status !== 200 || !read.success) return { ok: false, says: payerReasons.noReviewRules(reply.status) };
    return { ok: true, says: read.data.count > 0 ? payerReasons.hasReviewRules : payerReasons.knowsNoReviewRules };
  };
  return runTestSteps([
    testAddress(to.url ?? "", signal),
    { name: "token", run: token },
    { name: "answer", run: answer },
  ]);
}
