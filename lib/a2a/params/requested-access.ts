import { atoms, type Atom } from "#lib/access/model/actor";

/** The permission, practice and task that a call names. */
export type RequestedAccess = {
  readonly atom: Atom | undefined;
  readonly practiceId: string | undefined;
  readonly taskId: string | undefined;
};

/** What a call names in params that are not checked yet. */
export function requestedAccess(method: string | undefined, params: unknown): RequestedAccess {
  if (method === "tasks/get") return { atom: "tasks_get", practiceId: undefined, taskId: textAt(params, "id") };
  if (method === "tasks/cancel") return { atom: "tasks_cancel", practiceId: undefined, taskId: textAt(params, "id") };
  if (method !== "message/send") return { atom: undefined, practiceId: undefined, taskId: undefined };
  const message = memberAt(params, "message");
  const data = dataOf(message);
  const skill = textAt(data, "skill");
  return {
    atom: atoms.find((atom) => atom === skill),
    practiceId: textAt(data, "practiceId"),
    taskId: textAt(message, "taskId") ?? textAt(data, "taskId"),
  };
}

/** What the data part holds of a message that is not checked yet; a part of another kind may have any member. */
export function dataOf(message: unknown): unknown {
  const parts = memberAt(message, "parts");
  const part = Array.isArray(parts) ? parts.find((each) => memberAt(each, "kind") === "data") : undefined;
  return memberAt(part, "data");
}

function textAt(value: unknown, name: string): string | undefined {
  const member = memberAt(value, name);
  return typeof member === "string" ? member : undefined;
}

/** A member of params that are not checked yet; undefined where there is none. */
export function memberAt(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  // Safe because the line above found the member.
  return (value as Readonly<Record<string, unknown>>)[name];
}
