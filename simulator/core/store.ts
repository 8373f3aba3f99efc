import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import type { Case } from "./case.ts";
import type { Message } from "./ledger.ts";

/** One change of the payer's memory: a case as it is now and, where a message made the change, that message. */
type Change = { readonly case: Case; readonly message?: Message };

export type Store = {
  readonly cases: ReadonlyMap<string, Case>;
  /** The cases that change by themselves. */
  readonly due: ReadonlyMap<string, Case>;
  readonly message: (face: string, identity: string) => Message | undefined;
  /** The messages that made a case, oldest first. */
  readonly messagesOf: (caseId: string) => readonly Message[];
  readonly keep: (change: Change) => void;
};

/**
 * The payer's memory. With a file, every change is on disk before it is
 * answered, so that a restart knows what was accepted; a last line cut short by
 * a crash was never answered and is dropped.
 */
export function createStore(file: string | undefined): Store {
  const cases = new Map<string, Case>();
  const due = new Map<string, Case>();
  const messages = new Map<string, Message>();
  const keysOfCase = new Map<string, Set<string>>();
  const remember = ({ case: of, message }: Change) => {
    cases.set(of.id, of);
    if (of.due) due.set(of.id, of);
    else due.delete(of.id);
    if (!message) return;
    const key = keyOf(message.face, message.identity);
    messages.set(key, message);
    keysOfCase.set(of.id, (keysOfCase.get(of.id) ?? new Set()).add(key));
  };
  if (file !== undefined) for (const change of read(file)) remember(change);
  return {
    cases,
    due,
    message: (face, identity) => messages.get(keyOf(face, identity)),
    messagesOf: (caseId) => [...(keysOfCase.get(caseId) ?? [])].flatMap((key) => messages.get(key) ?? []),
    keep: (change) => {
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(change)}\n`, { mode: 0o600 });
      remember(change);
    },
  };
}

/** Two wires may use the same names. */
function keyOf(face: string, identity: string): string {
  return `${face} ${identity}`;
}

function read(file: string): readonly Change[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  truncateSync(file, Buffer.byteLength(whole));
  const lines = whole.split("\n").slice(0, -1);
  // Safe because only this module writes the file, one whole change a line; an older simulator's lines hold no case.
  return lines.map((line) => JSON.parse(line) as Change).filter((change) => "case" in change);
}
