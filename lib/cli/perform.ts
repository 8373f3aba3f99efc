import type { Command } from "commander";
import type { AdminRefusal } from "#lib/access/refusal";
import type { Context } from "#lib/access/context";
import type { OperatorActor } from "#lib/access/model/actor";
import type { Result } from "#lib/platform/result";
import { provePepper } from "#lib/db/prove-pepper";
import { sharedStore } from "#lib/db/db";
import { proveServer } from "#lib/db/unfit";
import { refusalText } from "#lib/messages/cli";
import { failureSentence } from "./failure-sentence.ts";
import { acrossPractices } from "#lib/db/for-practices";

export type Performance<Value> = {
  readonly ask: (ctx: Context<OperatorActor>) => Promise<Result<Value, AdminRefusal>>;
  /** The one JSON value of `--json`. */
  readonly json: (value: Value) => unknown;
  /** The output for people. */
  readonly text: (value: Value) => string;
  /** False when the result is a finding, so that the exit code is 1. */
  readonly good?: (value: Value) => boolean;
  /** For what mends a pepper that does not fit. */
  readonly anyPepper?: boolean;
};

/**
 * Runs one verb as the operator and prints its result on standard output. A refusal or a failure is a sentence on standard
 * error, with exit code 1.
 */
export async function perform<Value>(
  command: Command,
  { ask, json, text, good, anyPepper = false }: Performance<Value>,
): Promise<void> {
  try {
    const store = sharedStore();
    await store.keys.prove();
    await proveServer(store);
    // A key made under another pepper would be refused by every server.
    if (store.keyPepper && !anyPepper) await provePepper(store);
    const answer = await ask({ actor: { kind: "operator" }, store: acrossPractices(store, "operator") });
    if (!answer.ok) return fail(refusalText(answer.refusal));
    const { value } = answer;
    const asJson = command.optsWithGlobals<{ json?: true }>().json === true;
    process.stdout.write(`${asJson ? JSON.stringify(json(value)) : text(value)}\n`);
    if (good?.(value) === false) process.exitCode = 1;
  } catch (error) {
    fail(failureSentence(error));
  }
}

function fail(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

/** The items of `A,B`; an empty text has none. */
export function commaList(text: string): readonly string[] {
  return text.split(",").flatMap((item) => (item.trim() === "" ? [] : [item.trim()]));
}
