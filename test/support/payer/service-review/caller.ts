import { serviceReview } from "#lib/payer/service-review/connector";
import type { RunningSimulator } from "#test/support/payer/simulator";
import { aReviewBuild } from "./build.ts";

const product = "healthcare-hipaa-transactions";
/** What a token is asked for with. */
export const form = {
  grant_type: "client_credentials",
  client_id: "client-1",
  client_secret: "s3cret",
  scope: `${product} plan-demo`,
};

/** Asks for a token. */
export const token = (url: string, members: object = {}) =>
  fetch(`${url}/v1/token`, { method: "POST", body: new URLSearchParams({ ...form, ...members }) });

/** What a caller with a token of its own gets. */
export async function replyTo(
  { url }: RunningSimulator,
  path: string,
  { method = "GET", body, scope = form.scope }: { method?: string; body?: unknown; scope?: string } = {},
) {
  const granted = (await (await token(url, { scope })).json()) as { access_token: string };
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${granted.access_token}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, body: text === "" ? undefined : (JSON.parse(text) as object) };
}

/** A document that is a service review. */
export const whole = () =>
  JSON.parse(Buffer.from(serviceReview.build(aReviewBuild())[0]?.body ?? []).toString("utf8")) as Record<
    string,
    unknown
  >;
