import type { Command } from "commander";
import { explainSubmission, payerHostRecords } from "#lib/submission/explain-submission";
import type { Explanation, Obstacle, PayerHostRecord } from "#lib/submission/explain-submission";
import { ok } from "#lib/platform/result";
import { columns } from "./columns.ts";
import { perform } from "./perform.ts";

/** Explains one case. */
export function addTask(program: Command): void {
  program
    .command("task")
    .description("one case, as far as an operator may see it")
    .command("show <id>")
    .description("say why a case is not submitted; exit code 1 if there is none of that id")
    .action((taskId: string, _: object, command: Command) =>
      perform(command, {
        ask: async (ctx) => ok(await explainSubmission(ctx, { taskId })),
        json: (found) => found ?? null,
        text: (found) => (found ? explained(found) : "There is no case of that id."),
        good: (found) => found !== undefined,
      }),
    );
}

/** Lists how the payers answer. */
export function addPayers(program: Command): void {
  program
    .command("payers")
    .description("how each payer host has answered over the last day; exit code 1 where one is away")
    .action((_: object, command: Command) =>
      perform(command, {
        ask: async (ctx) => ok(await payerHostRecords(ctx)),
        json: (list) => list,
        text: table,
        good: (list) => list.every(({ away }) => away === null),
      }),
    );
}

function explained({ taskId, practiceId, payerId, state, gate, submission, why }: Explanation): string {
  const facts = [
    ["case", taskId],
    ["practice", practiceId],
    ["payer", payerId],
    ["state", state],
    ...(gate
      ? [["gate", `${gate.id}, ${gate.action}, ${gate.status}${gate.autoReleased ? " automatically" : ""}`]]
      : []),
    ...(submission
      ? [
          ["submission", `${submission.phase}, attempt ${submission.attempt}`],
          ["payer host", submission.payerHost || "not known"],
          ["last answer", submission.answer ?? "none"],
        ]
      : []),
  ];
  const lines = facts.map(([name = "", value]) => `${name.padEnd(12)}${value}`);
  return [...lines, "", ...why.map(sentenceOf)].join("\n");
}

const inTime = (s: number) => (s < 90 ? `${Math.max(0, Math.round(s))} s` : `${Math.round(s / 60)} min`);

function sentenceOf(obstacle: Obstacle): string {
  switch (obstacle.type) {
    case "in-recall-window":
      return `It can still be taken back, for ${inTime(obstacle.forS)}. Then it is submitted.`;
    case "retry-later":
      return `The payer processed nothing of the last attempt: it was not reached, or refused it, for example for wrong credentials. The case and the worker's log say which. The next attempt is in ${inTime(obstacle.forS)}.`;
    case "being-submitted":
      return `A worker is submitting it now; it has ${inTime(obstacle.forS)} left for that.`;
    case "payer-away":
      return `The payer has not answered for ${inTime(obstacle.forS)} (${obstacle.reason}). It is tried again in ${inTime(obstacle.tryInS)}; once it answers, this case is submitted.`;
    case "unconfirmed":
      return obstacle.inquiryInS === undefined
        ? "It is not known whether it arrived, and the payer can't be asked electronically. A person asks and records the answer."
        : `It is not known whether it arrived. The payer is asked in ${inTime(obstacle.inquiryInS)}, and nothing is sent again before that is known.`;
    case "about-to-leave":
    case "closed":
    case "held":
    case "manual":
    case "needs-information":
    case "no-worker":
    case "practice-suspended":
    case "record-stopped":
    case "route-changed":
    case "with-payer":
    case "worker-not-submitting":
      return sentences[obstacle.type];
  }
}

const sentences = {
  closed: "The case is closed. Nothing is to be submitted.",
  held: "It waits for a reviewer to release it.",
  "needs-information": "It waits for the agent to send more information.",
  "with-payer": "The payer has it.",
  manual: "It is to be submitted manually, by a person.",
  "record-stopped": "The database lacks entries of this practice that were seen before. `recover` shows what to do.",
  "practice-suspended": "The practice is suspended. `practice list` shows it.",
  "route-changed": "The payer connection was changed after the release. The case is held again, for another release.",
  "no-worker": "No worker has reported within a minute. Start one, or read its log.",
  "worker-not-submitting":
    "No worker may submit: SUBMISSIONS=off, an empty ledger that `recover` begins, a ledger that can't be written, or no standby with REPLICATION=required. Their logs say which.",
  "about-to-leave": "Nothing keeps it. A worker takes it within a second, unless all places are in use.",
} as const;

function table(list: readonly PayerHostRecord[]): string {
  if (list.length === 0) return "Nothing was submitted electronically within a day.";
  const ms = (value: number | null) => (value === null ? "-" : `${Math.round(value)} ms`);
  const rows = list.map((host) => [
    host.payerHost,
    host.away
      ? `away for ${inTime(host.away.forS)} (${host.away.reason}), next try in ${inTime(host.away.tryInS)}`
      : "ok",
    ...[host.practices, host.answered, host.retried, host.unconfirmed, host.waiting].map(String),
    ...[ms(host.medianMs), ms(host.p95Ms)],
  ]);
  return columns(
    ["PAYER HOST", "STANDS", "PRACTICES", "ANSWERED", "RETRIED", "UNCONFIRMED", "WAITING", "MEDIAN", "P95"],
    rows,
  );
}
