import { createHash } from "node:crypto";
import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { codeAt, nodeAt, nodesAt, numberAt, textAt, type Node } from "./json.ts";
import { memberIdOf } from "./party-rules.ts";
import type { Found, Request } from "./request.ts";
import { scenarioOf, type Action, type Scenario } from "./scenarios.ts";

/** `rejected` is an AAA: answered, but no case came of it. `held` was refused for now and is kept (follow-up Y). */
type CaseState = "decided" | "pended" | "rejected" | "held";

export type Item = {
  readonly sequence: number;
  readonly code: string;
  readonly quantity: number | undefined;
  readonly unit: string | undefined;
  readonly action: Action;
};

/** What the payer keeps of one submission. */
export type Case = {
  readonly bundleId: string;
  readonly bundleSystem: string;
  readonly sha256: string;
  readonly receivedAt: string;
  readonly times: number;
  readonly state: CaseState;
  readonly scenario: Scenario;
  readonly trace: Node;
  readonly memberId: string;
  readonly claimUrl: string;
  readonly claimType: Node;
  readonly patient: Found;
  readonly insurer: Found;
  readonly requestor: Found;
  readonly items: readonly Item[];
  readonly reference: string;
  readonly authorizationNumber: string;
  readonly decidedAt: string | undefined;
  readonly reason: string | undefined;
  readonly note: string | undefined;
};

type Received =
  | { readonly type: "case"; readonly case: Case; readonly repeated: boolean }
  /** The same identity with other content: the payer keeps what it has. */
  | { readonly type: "conflict" };

export type Cases = {
  readonly receive: (request: Request, body: Uint8Array, at: Date) => Received;
  readonly find: (by: { readonly memberId?: string; readonly numbers: readonly string[] }) => readonly Case[];
  readonly decide: (
    found: Case,
    decision: { readonly action: Action; readonly note: string | undefined; readonly at: Date },
  ) => Case;
  readonly all: () => readonly Case[];
};

/**
 * The payer's memory. With a file, every change is on disk before it is
 * answered, so that a restart knows what was accepted; a last line cut short by
 * a crash was never answered and is dropped.
 */
export function createCases(file: string | undefined): Cases {
  const byBundle = new Map<string, Case>(file === undefined ? [] : read(file).map((each) => [each.bundleId, each]));
  const keep = (next: Case): Case => {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(next)}\n`, { mode: 0o600 });
    byBundle.set(next.bundleId, next);
    return next;
  };
  return {
    receive: (request, body, at) => {
      const fresh = opened(request, body, at);
      const known = byBundle.get(fresh.bundleId);
      if (known === undefined || (known.sha256 !== fresh.sha256 && known.state === "rejected")) {
        return { type: "case", case: keep(fresh), repeated: false };
      }
      if (known.sha256 !== fresh.sha256) return { type: "conflict" };
      return { type: "case", case: keep(repeated(known, at)), repeated: true };
    },
    find: ({ memberId, numbers }) =>
      [...byBundle.values()].filter(
        (each) =>
          (memberId === undefined || each.memberId === memberId) &&
          [textAt(each.trace, "value"), each.reference, each.authorizationNumber, each.bundleId].some((number) =>
            numbers.includes(number ?? ""),
          ),
      ),
    decide: (found, { action, note, at }) =>
      keep({
        ...found,
        state: action === "A4" ? "pended" : "decided",
        items: found.items.map((item) => ({ ...item, action })),
        decidedAt: at.toISOString(),
        reason: action === "A3" ? "0V" : undefined,
        note,
      }),
    all: () => [...byBundle.values()],
  };
}

/** A rejection that asked for the same again gives way once it was said often enough. */
function repeated(known: Case, at: Date): Case {
  const again = { ...known, times: known.times + 1 };
  const over =
    known.scenario.type === "reject" && known.scenario.times !== undefined && known.times >= known.scenario.times;
  return over ? { ...again, state: "decided", decidedAt: at.toISOString() } : again;
}

function opened(request: Request, body: Uint8Array, at: Date): Case {
  const { bundle, claim, resolve } = request;
  const identifier = nodeAt(bundle, "identifier");
  const bundleId = textAt(identifier, "value") ?? "";
  const memberId = memberIdOf(request);
  const scenario = scenarioOf(memberId);
  const number = createHash("sha256").update(bundleId).digest("hex").slice(0, 10).toUpperCase();
  const found = (name: string): Found =>
    resolve(nodeAt(claim, name), ["Patient", "Organization", "PractitionerRole"]) ?? { fullUrl: "", resource: {} };
  return {
    bundleId,
    bundleSystem: textAt(identifier, "system") ?? "",
    sha256: createHash("sha256").update(body).digest("hex"),
    receivedAt: at.toISOString(),
    times: 1,
    state: stateOf(scenario),
    scenario,
    trace: nodesAt(claim, "identifier")[0] ?? {},
    memberId,
    claimUrl: request.claimUrl,
    claimType: nodeAt(claim, "type"),
    patient: found("patient"),
    insurer: found("insurer"),
    requestor: found("provider"),
    items: nodesAt(claim, "item").map((item, index) => itemOf(item, actionOf(scenario, index))),
    reference: `REF-${number}`,
    authorizationNumber: `AUTH-${number}`,
    decidedAt: scenario.type === "decide" || scenario.type === "split" ? at.toISOString() : undefined,
    reason: scenario.type === "decide" ? scenario.reason : undefined,
    note: scenario.type === "decide" ? scenario.note : undefined,
  };
}

function itemOf(item: Node, action: Action): Item {
  const quantity = nodeAt(item, "quantity");
  return {
    sequence: numberAt(item, "sequence") ?? 0,
    code: codeAt(item, "productOrService") ?? "",
    quantity: numberAt(quantity, "value"),
    unit: textAt(quantity, "code") ?? textAt(quantity, "unit"),
    action,
  };
}

function stateOf(scenario: Scenario): CaseState {
  switch (scenario.type) {
    case "decide":
    case "split":
      return "decided";
    case "pend":
      return "pended";
    case "reject":
      return scenario.followUp === "Y" ? "held" : "rejected";
  }
}

function actionOf(scenario: Scenario, index: number): Action {
  switch (scenario.type) {
    case "decide":
      return scenario.action;
    case "split":
      return index === 0 ? "A1" : "A3";
    case "pend":
      return "A4";
    case "reject":
      return scenario.followUp === "P" ? "A1" : "A4";
  }
}

function read(file: string): readonly Case[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  truncateSync(file, Buffer.byteLength(whole));
  const lines = whole.split("\n").slice(0, -1);
  // Safe because only this module writes the file, one whole case a line.
  return lines.map((line) => JSON.parse(line) as Case);
}
