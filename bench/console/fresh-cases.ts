import { fullReview, inDays } from "#test/support/agents/reviews";
import { freshPayer, practices } from "./desk.ts";
import type { Bench } from "./pages.ts";

/** So many cases stand beside one another. */
const besideOneAnother = 40;

/**
 * Sends cases the way an agent does, over the wire whose document is the longest, dozens for one member; the members are
 * new with each run, so that no run meets what one before it left.
 */
export async function freshCases({ desk, baseUrl }: Bench, times: number): Promise<readonly string[]> {
  const addresses: string[] = [];
  const run = Date.now().toString(36).toUpperCase();
  for (let n = 0; n < times; n += 1) {
    const data = {
      skill: "prior_auth_intake",
      practiceId: practices[0],
      serviceReview: review(n, `BM${run}-${Math.floor(n / besideOneAnother)}`),
    };
    const note = { kind: "text", text: "From the order of this morning." };
    const params = { message: { role: "user", parts: [{ kind: "data", data }, note] } };
    const answer = await fetch(`${baseUrl}/api/a2a`, {
      method: "POST",
      headers: { authorization: `Bearer ${desk.channelKey}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: n, method: "message/send", params }),
    });
    // Safe because anything else is caught on the next line.
    const { result } = (await answer.json()) as { result?: { id: string } };
    if (!result) throw new Error("The service refused an intake of the bench.");
    addresses.push(`/tasks/${result.id}`);
  }
  return addresses;
}

/** For other days than the others, so that none is the same as another. */
function review(n: number, memberId: string) {
  const name = { lastName: "Bench", firstName: "Fresh" };
  return {
    ...fullReview,
    payer: { id: freshPayer },
    fromDate: inDays(60 + n),
    toDate: inDays(120 + n),
    procedures: [{ code: "E0200", quantity: 1, quantityTypeCode: "UN" }],
    subscriber: { memberId, ...name },
    patient: { ...fullReview.patient, ...name },
  };
}
