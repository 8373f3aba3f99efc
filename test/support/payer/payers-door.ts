import { randomBytes } from "node:crypto";
import type { PayerAnswer, Call } from "#lib/payer/connector";
import type { Store } from "#lib/db/db";
import { openCalls } from "#lib/gate/shared/gates";
import { sealText } from "#lib/db/sealed";
import { recordPush } from "#lib/payer/inbox/record-push";
import { theWorker } from "../cases/cases.ts";
import { notification, replyAs } from "./pas/push.ts";
import type { Json } from "./pas/reply.ts";
import { anAnsweredTask } from "../cases/sent-cases.ts";

export type Push = {
  readonly routeId: string;
  readonly body?: Uint8Array;
  readonly headers?: Record<string, string>;
  readonly method?: string;
};

/** Cases whose payer may come by a door of its own at this address, and what it brings. */
export function aPayersDoor(store: Store, base: () => string) {
  const worker = theWorker(store);
  const secret = randomBytes(32).toString("base64url");
  const pended: PayerAnswer = { type: "accepted", reference: "REF-1", receivedAt: new Date("2026-12-01T10:00:00Z") };

  /** Lets the payer of this practice come by a door of its own; its route's id comes back. */
  async function aDoor(practiceId: string): Promise<string> {
    const route = await store.prisma.route.findFirstOrThrow({ where: { practiceId }, orderBy: { version: "desc" } });
    const sealed = sealText(store, "subscription.secret", { row: route.id, practiceId }, secret);
    await store.prisma.subscription.create({
      data: { routeId: route.id, practiceId, secret: sealed, nextTryAt: new Date() },
    });
    return route.id;
  }

  /** The request that left for a task. */
  async function sentCall(taskId: string): Promise<Call> {
    const gate = await store.prisma.gate.findFirstOrThrow({
      where: { taskId, transmission: { startedAt: { not: null } } },
    });
    const [call] = await openCalls(store, gate);
    if (!call) throw new Error("Something was sent.");
    return call;
  }

  const push = ({ routeId, body = notification(), headers = {}, method = "POST" }: Push) =>
    fetch(`${base()}/api/payers/${routeId}/notifications`, {
      method,
      body: method === "GET" ? null : new Uint8Array(body),
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/fhir+json", ...headers },
    });

  async function aPendedTask(answer: PayerAnswer = pended) {
    const task = await anAnsweredTask(store, answer);
    const routeId = await aDoor(task.practiceId);
    const call = await sentCall(task.taskId);
    const say = async (action: string, created: string, change: (reply: Json) => void = () => undefined) => {
      const reply = replyAs(call, action, created);
      change(reply);
      return push({ routeId, body: notification(reply) });
    };
    return { ...task, routeId, call, say };
  }

  const hearAll = async (taskId: string) => {
    const response = [];
    for (
      let one = await recordPush(worker, { taskId });
      one.ok && one.value !== "none-waits";
      one = await recordPush(worker, { taskId })
    )
      response.push(one.value);
    return response;
  };
  const unmatchedOf = (practiceId: string) => store.prisma.unmatchedPush.findMany({ where: { practiceId } });
  const eventsOf = (taskId: string) => store.prisma.payerEvent.findMany({ where: { taskId }, orderBy: { id: "asc" } });

  return { secret, aDoor, sentCall, push, aPendedTask, pended, hearAll, unmatchedOf, eventsOf };
}
