import { randomUUID } from "node:crypto";
import { authenticateChannel } from "#lib/channel/authenticate-channel";
import { readPayerDirectories, type AgentDirectories } from "#lib/practice/directory/read-payer-directories";
import { forPractices } from "#lib/db/for-practices";
import { isUnavailable, logFailure } from "#lib/db/unavailable";
import { now } from "#lib/platform/now";
import { arrivalOfRequest } from "#lib/platform/http/arrival";
import { named, toResponse, type Reply } from "#lib/platform/http/reply";
import { bearerOf } from "#lib/channel/channel-key";
import { noteCall } from "#lib/a2a/admit/note-call";
import type { CallAdmission, CallArrival, CallSlot, Deps } from "#lib/a2a/call";
import { faultOfFull, replyFault, type CallError } from "#lib/a2a/reply/faults";
import { rateHeaders } from "#lib/a2a/reply/rate-headers";
import { agentCard } from "./agent-card.ts";

/**
 * Answers a request for the agent card. Without a credential it is the same for everybody, and clients may cache it for 5
 * minutes. With a channel's key or token it also has the payers of the practices that the channel reaches, or of the one
 * that the parameter `practice` names; it counts as a call, and is refused as one. A channel that may not send requests
 * gets it without payers, because A2A clients discover the service with the headers of their calls.
 */
export async function serveCard(request: Request, { deps, publicUrl }: Serving): Promise<Response> {
  const arrival = arrivalOfRequest(request);
  if (arrival.header("authorization") === undefined)
    return Response.json(agentCard(publicUrl), {
      headers: { "cache-control": "public, max-age=300", vary: "authorization" },
    });
  const practiceId = URL.parse(request.url)?.searchParams.get("practice") ?? undefined;
  return toResponse(await answerCard({ arrival, deps }, { publicUrl, practiceId }));
}

/** `publicUrl` is the address of this service as clients know it. */
type Serving = { readonly deps: Deps; readonly publicUrl: string };
type Call = CallArrival & Partial<CallAdmission & CallSlot>;
type CardCall = { readonly call: Call; readonly requestId: string };
type CardOptions = Pick<Serving, "publicUrl"> & { readonly practiceId: string | undefined };

async function answerCard(call: Call, { publicUrl, practiceId }: CardOptions): Promise<Reply> {
  const { deps } = call;
  const requestId = randomUUID();
  let read: AgentDirectories | CallError | undefined;
  try {
    read = await directoriesFor(call, practiceId);
  } catch (error) {
    logFailure(deps.log, { requestId, err: error }, "the agent card failed");
    read = isUnavailable(error) ? { fault: "busy", retryAfterS: 2 } : { fault: "internal" };
  } finally {
    call.leave?.();
  }
  const refused = read && "fault" in read ? read : undefined;
  note({ call, requestId }, refused, practiceId);
  deps.log.info({ requestId, channel: call.actor?.id, fault: refused?.fault }, "agent card");
  const directories = read && "practices" in read ? read : undefined;
  const reply = refused
    ? replyFault(refused, { requestId, help: deps.help })
    : cardReply(agentCard(publicUrl, directories));
  return named(reply, requestId, rateHeaders(call.limits, refused));
}

/** The checks of a call that a request for the card needs, in their order. Undefined where no payers are for the channel. */
async function directoriesFor(
  call: Call,
  practiceId: string | undefined,
): Promise<AgentDirectories | CallError | undefined> {
  const { arrival, deps } = call;
  const bearer = bearerOf(arrival.header("authorization"));
  const admitted = await authenticateChannel(deps.store, bearer, { address: arrival.address });
  if (!admitted) return { fault: "no-credential" };
  Object.assign(call, admitted);
  const { actor, limits } = admitted;
  const entered = await deps.load.enter(actor.id, limits);
  if ("full" in entered) return faultOfFull(entered);
  Object.assign(call, entered);
  const ctx = { actor, store: forPractices(deps.store, actor.practices) };
  const read = await readPayerDirectories(ctx, { practiceId });
  if (read.ok) return read.value;
  return practiceId === undefined ? undefined : { fault: "not-authorised" };
}

/** What it asked for is told where it is denied, as of every call. */
function note(named: CardCall, refused: CallError | undefined, practiceId: string | undefined): void {
  const { call, requestId } = named;
  const { deps, actor, arrival } = call;
  if (refused?.fault !== "not-authorised" || !actor) return noteCall(named, refused);
  const by = { channelId: actor.id, keyId: actor.keyId, address: arrival.address };
  deps.book.countDenial({ requestId, at: now(), ...by, atom: "prior_auth_intake", practiceId });
}

function cardReply(card: object): Reply {
  const headers = { "content-type": "application/json", "cache-control": "no-store", vary: "authorization" };
  return { status: 200, headers, body: JSON.stringify(card) };
}
