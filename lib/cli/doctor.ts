import type { Command } from "commander";
import { env, type Env } from "#lib/platform/env";
import { sharedStore, type Store } from "#lib/db/db";
import { archiveStanding } from "#lib/db/verify-archive";
import { acrossPractices } from "#lib/db/for-practices";
import { commitStanding } from "#lib/db/replication";
import { provePepper } from "#lib/db/prove-pepper";
import { proveServer } from "#lib/db/unfit";
import { guardFaultTexts } from "#lib/messages/cli";
import { inspectService, type ServiceStanding } from "#lib/submission/inspect-service";
import { failureSentence } from "./failure-sentence.ts";

/** `bad` needs mending now, `look` may. */
type Finding = { readonly check: string; readonly stands: "ok" | "look" | "bad"; readonly text: string };

/** Examines a whole service as far as one machine can. */
export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description(
      "examine settings, database, keys, audit log, replication, workers, clock and archive; exit code 1 for what is bad",
    )
    .action(async (_: object, command: Command) => {
      const findings = await examine(env());
      const asJson = command.optsWithGlobals<{ json?: true }>().json === true;
      process.stdout.write(`${asJson ? JSON.stringify(findings) : findings.map(lineOf).join("\n")}\n`);
      if (findings.some(({ stands }) => stands === "bad")) process.exitCode = 1;
    });
}

const marks = { ok: "ok  ", look: "look", bad: "BAD " } as const;
const lineOf = ({ check, stands, text }: Finding) => `${marks[stands]}  ${check.padEnd(12)}${text}`;

async function examine(settings: Env): Promise<readonly Finding[]> {
  const store = sharedStore();
  const ctx = { actor: { kind: "operator" }, store: acrossPractices(store, "operator") } as const;
  const reached = await proved("database", "", () => proveServer(store));
  if (reached.stands === "bad") return [...settingsFindings(settings), reached];
  const standing = await inspectService(ctx, { signsHeads: settings.AUDIT_HEADS_DIR !== undefined });
  const { guards } = standing;
  return [
    ...settingsFindings(settings),
    databaseFinding(standing),
    clockFinding(standing),
    await proved("keys", "SEALING_KEY opens what was sealed", () => store.keys.prove()),
    await proved("pepper", "CHANNEL_KEY_PEPPER is the one that API keys were made with", async () => {
      if (store.keyPepper) await provePepper(store);
    }),
    guards.length === 0
      ? { check: "guards", stands: "ok", text: "the database's guards of the audit log are as they were made" }
      : {
          check: "guards",
          stands: "bad",
          text: guards.map(({ guard, problem }) => `${guard} ${guardFaultTexts[problem]}`).join("; "),
        },
    ...auditFindings(standing, settings),
    replicationFinding(standing, settings),
    ...workFindings(standing),
    await archiveFinding(ctx.store),
  ];
}

/** What fails says how to mend it. */
async function proved(check: string, text: string, prove: () => Promise<void>): Promise<Finding> {
  try {
    await prove();
    return { check, stands: "ok", text };
  } catch (error) {
    return { check, stands: "bad", text: failureSentence(error) };
  }
}

function settingsFindings({ SUBMISSIONS, AUDIT_HEADS_DIR, LOG_COLLECTOR, METRICS_PORT }: Env): readonly Finding[] {
  const lacking = [
    ...(SUBMISSIONS === "off" ? ["SUBMISSIONS is off: nothing is submitted"] : []),
    ...(AUDIT_HEADS_DIR === undefined
      ? ["AUDIT_HEADS_DIR is not set here: without it a worker signs no heads of the audit log"]
      : []),
    ...(LOG_COLLECTOR === undefined
      ? ["LOG_COLLECTOR is not set here: without it a process's log lines are on its machine only"]
      : []),
    ...(METRICS_PORT === undefined
      ? ["METRICS_PORT is not set here: without it a server or worker is not measured"]
      : []),
  ];
  return lacking.length === 0
    ? [{ check: "settings", stands: "ok", text: "complete" }]
    : lacking.map((text) => ({ check: "settings", stands: "look", text }));
}

function databaseFinding({ database: { version, isStandby, roundTripMs } }: ServiceStanding): Finding {
  const check = "database";
  if (isStandby) return { check, stands: "bad", text: "APP_DATABASE_URL leads to a standby, which takes no writes" };
  return { check, stands: "ok", text: `PostgreSQL ${version}, answers in ${roundTripMs} ms` };
}

/** More than this, and times that people read are wrong by what they notice. */
const clockS = { look: 1, bad: 10 };

function clockFinding({ database: { clockAheadS } }: ServiceStanding): Finding {
  const apart = Math.abs(clockAheadS);
  const text = `the database's clock is ${apart.toFixed(1)} s ${clockAheadS < 0 ? "behind" : "ahead of"} this machine's`;
  return { check: "clock", stands: apart > clockS.bad ? "bad" : apart > clockS.look ? "look" : "ok", text };
}

/** A value that was moved is read nowhere else. */
async function archiveFinding(store: Store): Promise<Finding> {
  const check = "archive";
  const { archive } = store;
  const { values, behind, failing } = await archiveStanding(store);
  const needed = values > 0 ? "bad" : "look";
  const moved = `${values} values of closed cases were moved there`;
  if (!archive)
    return values === 0
      ? { check, stands: "ok", text: "none is set, and none is needed" }
      : { check, stands: "bad", text: `no ARCHIVE_ENDPOINT is set, and ${moved}: they cannot be read` };
  const trouble = await archive.trouble();
  if (trouble !== undefined)
    return { check, stands: needed, text: `${archive.name} is not at hand: ${trouble}; ${moved}` };
  const fail = failing === 0 ? "" : `; ${failing} cases fail to be archived: \`archive status\` says why`;
  return {
    check,
    stands: failing === 0 ? "ok" : "look",
    text: `${archive.name} is at hand; ${moved}, and ${behind} practices have more that are due${fail}`,
  };
}

const inTime = (s: number) => (s < 90 ? `${Math.round(s)} s` : `${Math.round(s / 60)} min`);

function auditFindings({ figures: { audit } }: ServiceStanding, { AUDIT_HEADS_EVERY_S: everyS }: Env): Finding[] {
  const check = "audit log";
  const late = audit.unsignedS > 3 * everyS;
  return [
    audit.broken === 0
      ? { check, stands: "ok", text: "no chain is known to be broken; `audit verify` reads all of it" }
      : { check, stands: "bad", text: `${audit.broken} chains do not verify: \`audit verify\` says which` },
    ...(late
      ? [{ check, stands: "bad" as const, text: `an entry has waited ${inTime(audit.unsignedS)} for a signed head` }]
      : []),
    ...(audit.stopped === 0
      ? []
      : [{ check, stands: "bad" as const, text: "the database lacks entries that were seen: `recover` says which" }]),
  ];
}

function replicationFinding({ figures }: ServiceStanding, { REPLICATION: rule }: Env): Finding {
  const check = "replication";
  const { standbys, commitsAlone: alone } = figures;
  const count = standbys.reduce((all, { count: some }) => all + some, 0);
  const lacking = rule === "required" ? "bad" : "look";
  if (alone) {
    const there = count === 0 ? "no standby" : `${count} standbys, and no commit waits for one`;
    const meanwhile = rule === "required" ? "nothing is accepted or submitted" : "what is acknowledged is lost with it";
    return { check, stands: lacking, text: `${there}: commits are on the primary's disk alone, and ${meanwhile}` };
  }
  if (commitStanding({ alone, standbys }) === "waiting")
    return { check, stands: "bad", text: "commits wait for a standby that is not there" };
  if (standbys.every(({ syncState }) => syncState === "not-shown"))
    return {
      check,
      stands: "look",
      text: `commits wait for one of ${count} standbys, whose state only the owner with pg_read_all_stats is shown`,
    };
  return { check, stands: "ok", text: `${count} standbys, and commits wait for one` };
}

function workersFinding({ count, submitting }: ServiceStanding["figures"]["workers"]): Finding {
  const check = "workers";
  if (count === 0) return { check, stands: "bad", text: "none has reported within a minute: nothing is submitted" };
  if (submitting === 0)
    return { check, stands: "bad", text: `${count} at work, and none may submit: their logs say why` };
  return { check, stands: "ok", text: `${count} at work, ${submitting} of them may submit` };
}

function workFindings({
  figures: { workers, releases, unconfirmed, away, webhooks, mail },
}: ServiceStanding): Finding[] {
  const late = releases.oldestS > 120;
  return [
    workersFinding(workers),
    {
      check: "releases",
      stands: late ? "bad" : "ok",
      text: `${releases.count} are due${late ? `, the oldest for ${inTime(releases.oldestS)}: \`task show\` says why` : ""}`,
    },
    ...away.map(({ payerHost, forS }) => ({
      check: "payers",
      stands: "look" as const,
      text: `${payerHost} has not answered for ${inTime(forS)}`,
    })),
    ...(unconfirmed.count === 0
      ? []
      : [
          {
            check: "unconfirmed",
            stands: "look" as const,
            text: `of ${unconfirmed.count} submissions nobody knows whether they arrived, the oldest for ${inTime(unconfirmed.oldestS)}`,
          },
        ]),
    ...(Math.max(webhooks.oldestS, mail.oldestS) > 900
      ? [
          {
            check: "outbox",
            stands: "look" as const,
            text: `${webhooks.count} webhooks and ${mail.count} mails are due`,
          },
        ]
      : []),
  ];
}
