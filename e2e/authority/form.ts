import { randomUUID } from "node:crypto";
import type { WireTask } from "../fixtures/agent.ts";

/** What a form with these fields is on the wire. */
export function form(fields: Readonly<Record<string, string | readonly string[]>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) data.append(name, each);
  return data;
}

/** The fields that name a case's gate as a page drawn now would. */
export function seenOn({ id, gate, revision }: WireTask) {
  if (!gate) throw new Error(`The case ${id} stands at no gate.`);
  const { id: gateId, digest } = gate;
  return { taskId: id, gateId, revision: String(revision.number), digest, key: randomUUID() };
}
