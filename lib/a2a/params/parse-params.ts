import type { Issue } from "#lib/task/refusal";
import type { CallEnvelope, CallMethod, CallJson, CallCommand } from "#lib/a2a/call";
import type { CallError } from "#lib/a2a/reply/faults";
import type { Finding } from "#lib/a2a/envelope/inspect";
import { issuesMax } from "#lib/a2a/admit/limits";

/** Rung 7: params of the method's form, holding nothing we could not give back as it was sent. */
export function parseParams({ findings, params, row }: CallJson & CallEnvelope & CallMethod): CallCommand | CallError {
  const unkept = findings.flatMap(findingToIssue);
  if (unkept.length > 0) return invalid(unkept);
  const prepared = row.prepare(params);
  return prepared.ok ? { run: prepared.value } : invalid(prepared.refusal);
}

function invalid(issues: readonly Issue[]): CallError {
  return { fault: "invalid-params", data: { issues: issues.slice(0, issuesMax) } };
}

/** Pointers are into the params; the id is given back escaped, whatever its characters. */
function findingToIssue({ path, problem }: Finding): Issue[] {
  if (path === "/id") return [];
  if (path === "/params" || path.startsWith("/params/")) return [{ path: path.slice("/params".length), problem }];
  return [{ path: "", problem: `come with a member ${path} that ${problem}` }];
}
