import type { Issue } from "#lib/task/refusal";
import type { CallEnvelope, CallMethod, CallJson, CallCommand } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import type { Finding } from "#lib/a2a/envelope/inspect";
import { methodNamed, type Command } from "#lib/a2a/methods";
import { refuse, type Result } from "#lib/platform/result";
import { issuesMax } from "#lib/a2a/admit/limits";

/** Check 6: one of the methods that we serve. */
export function findMethod({ method }: CallEnvelope): CallMethod | CallError {
  const row = methodNamed(method);
  return row ? { row } : { fault: "unknown-method" };
}

/** Check 7: params of the method's form, with nothing in them that could not be stored exactly as sent. */
export function parseParams({ findings, params, row }: CallJson & CallEnvelope & CallMethod): CallCommand | CallError {
  const prepared = prepare({ findings, params, row });
  return prepared.ok ? { command: prepared.value } : invalid(prepared.refusal);
}

type Preparing = CallMethod & Pick<CallJson, "findings"> & Pick<CallEnvelope, "params">;

/** What is wrong with these params, as far as the params alone tell; nothing when they are right. */
export function paramsIssues(given: Preparing): readonly Issue[] {
  const prepared = prepare(given);
  return prepared.ok ? [] : prepared.refusal.slice(0, issuesMax);
}

function prepare({ findings, params, row }: Preparing): Result<Command, readonly Issue[]> {
  const inexact = findings.flatMap(findingToIssue);
  return inexact.length > 0 ? refuse(inexact) : row.prepare(params);
}

function invalid(issues: readonly Issue[]): CallError {
  return { fault: "invalid-params", data: { issues: issues.slice(0, issuesMax) } };
}

/** Pointers are relative to the params. A finding in the id is no issue, since the reply can escape any character. */
function findingToIssue({ path, problem }: Finding): Issue[] {
  if (path === "/id") return [];
  if (path === "/params" || path.startsWith("/params/")) return [{ path: path.slice("/params".length), problem }];
  return [{ path: "", problem: `come with a member ${path} that ${problem}` }];
}
