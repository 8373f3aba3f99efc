import type { Issue } from "#lib/task/refusal";
import type { CallEnvelope, CallMethod, CallJson, CallCommand } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import type { Finding } from "#lib/a2a/envelope/inspect";
import { methodNamed } from "#lib/a2a/methods";
import { issuesMax } from "#lib/a2a/admit/limits";

/** Check 6: one of the methods that we serve. */
export function findMethod({ method }: CallEnvelope): CallMethod | CallError {
  const row = methodNamed(method);
  return row ? { row } : { fault: "unknown-method" };
}

/** Check 7: params of the method's form, with nothing in them that could not be stored exactly as sent. */
export function parseParams({ findings, params, row }: CallJson & CallEnvelope & CallMethod): CallCommand | CallError {
  const inexact = findings.flatMap(findingToIssue);
  if (inexact.length > 0) return invalid(inexact);
  const prepared = row.prepare(params);
  return prepared.ok ? { run: prepared.value } : invalid(prepared.refusal);
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
