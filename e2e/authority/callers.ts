import type { WireTask } from "../fixtures/agent.ts";
import type { Practice } from "../fixtures/practice.ts";
import type { Stack } from "../fixtures/stack.ts";

/** Everybody who may send a request. The practice of the scene is Alder; the stranger is a reviewer of another one. */
export const callers = [
  "nobody",
  "reviewer",
  "stranger",
  "admin",
  "admin elsewhere",
  "auditor",
  "auditor elsewhere",
  "reviewer+admin",
  "no longer enabled",
  "signed out",
] as const;
export type Caller = (typeof callers)[number];

/** Who holds a live session, and who of them has which power. */
export const signedIn = [
  ...(["reviewer", "stranger", "admin", "admin elsewhere", "auditor", "auditor elsewhere", "reviewer+admin"] as const),
] satisfies Caller[];
export const reviewers = ["reviewer", "stranger", "reviewer+admin"] as const satisfies Caller[];
/** Those who review for the practice of the scene. */
export const ours = ["reviewer", "reviewer+admin"] as const satisfies Caller[];
/** Those who administer it; the first administers every practice. */
export const admins = ["admin", "reviewer+admin"] as const satisfies Caller[];
export const allAdmins = [...admins, "admin elsewhere"] as const satisfies Caller[];
/** Those who have a home page: whoever only audits has none. */
export const withHomePage = [
  "reviewer",
  "stranger",
  "admin",
  "admin elsewhere",
  "reviewer+admin",
] as const satisfies Caller[];
/** Those who may read its audit log. */
export const readers = [...admins, "auditor"] as const satisfies Caller[];
export const allReaders = [...readers, "admin elsewhere", "auditor elsewhere"] as const satisfies Caller[];

/** A text planted in the scene, and who may ever be shown it. */
type Canary = { readonly text: string; readonly shownTo: readonly Caller[] };

export type Scene = {
  readonly operator: Stack["operator"];
  /** Of those who may do an act, the one who does it in this scene. */
  readonly doer: Caller;
  readonly practice: Practice;
  readonly elsewhere: Practice;
  readonly cookieOf: Readonly<Record<Caller, string>>;
  readonly idOf: Readonly<Record<Exclude<Caller, "nobody">, string>>;
  readonly canaries: readonly Canary[];
  /** The full intake at its gate, with a file and a note; and the other practice's. */
  readonly held: WireTask;
  readonly theirs: WireTask;
  readonly fileDigest: string;
  /** A case that was released for manual submission, and the receipt of its release. */
  readonly released: WireTask;
  readonly receiptId: string;
  /** Somebody signed in who reviews for the practice and asks for nothing, and somebody who was invited. */
  readonly memberId: string;
  readonly guestId: string;
  /** A channel of the practice that no test sends with. */
  readonly spare: { readonly id: string; readonly keyId: string };
};
