import { faults, type Fault } from "#lib/a2a/reply/faults";
import { statusByState } from "#lib/a2a/reply/status";
import { faultTexts } from "#lib/messages/agent/faults";
import { stateTexts } from "#lib/messages/agent/status";
import type { State } from "#lib/task/model/task";
import { table } from "./table.ts";

/** The page about the methods: what each takes and gives. */
export function methodsPage(): string {
  return `# Methods

One address, \`POST /api/a2a\`, JSON-RPC 2.0, one request in a call. Each needs an atom of the channel.

${table(
  ["method", "atom", "params", "does"],
  [
    [
      "`message/send`",
      "`prior_auth_intake` or `prior_auth_void`, by the skill",
      "`message`, `configuration`; [schema](/developers/schemas/message-send.json)",
      "Opens a task, continues it, or asks for a void. The `data` part has the form of its skill: [intake](/developers/schemas/prior_auth_intake.json), [void](/developers/schemas/prior_auth_void.json).",
    ],
    [
      "`tasks/get`",
      "`tasks_get`",
      "`id`, `historyLength`, `metadata`; [schema](/developers/schemas/tasks-get.json)",
      "Gives the task as it stands, at once or when it changes.",
    ],
    [
      "`tasks/cancel`",
      "`tasks_cancel`",
      "`id`; [schema](/developers/schemas/tasks-cancel.json)",
      "Withdraws what the payer does not have.",
    ],
  ],
)}

The same as [OpenRPC](/developers/openrpc.json). Each reply holds a [task](/developers/task).`;
}

/** The page about the states of a task, from the tables that the replies are made of. */
export function statesPage(): string {
  // Safe because the table has exactly the states.
  const states = Object.entries(statusByState) as [State, (typeof statusByState)[State]][];
  return `# States

\`state\` is exact; \`status.state\` is A2A's word for it. While a task is \`working\`, an agent has nothing to do but wait. At \`input-required\` it is the agent's turn.

${table(
  ["`state`", "`status.state`", "moves next", "meaning"],
  states.map(([state, { status, by }]) => [`\`${state}\``, `\`${status}\``, by, stateTexts[state].says]),
)}

\`nextAction\` says who moves next in this very case, which may be a reviewer where the payer is reached manually, or you where a reviewer asks about an update. \`status.message\` says it in a sentence, with a reviewer's question or a payer's reason where there is one.

A payer that took a request may refuse it later. The task then goes from \`transmitted\` back to \`needs-information\`, or ends \`failed\`; a refused update leads to \`payer-needs-information\`, because the payer still has the case as it was before. The reason is in \`status.message\` and in the artifact \`receipt\`.

A determined task may move again: a void or a change that you ask for makes it \`working\`, and its determination stays in it.`;
}

/** All errors, from the table that the replies are made of: a heading for each, which its `data.help` leads to. */
export function errorsReference(): string {
  // Safe because the table has exactly the faults.
  const names = Object.keys(faults) as Fault[];
  const sorted = names.toSorted((one, other) => faults[one].code - faults[other].code);
  const byHeading = Map.groupBy(sorted, (name) => `Error ${faults[name].code}: ${faults[name].message}`);
  const parts = [...byHeading].map(([heading, list]) => {
    const rows = list.map((name) => {
      const { when, mend } = faultTexts[name];
      return [String(faults[name].http), when, mend];
    });
    return `### ${heading}\n\n${table(["HTTP", "when", "what to do"], rows)}`;
  });
  return parts.join("\n\n");
}
