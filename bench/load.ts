import { exitWithParent } from "#lib/platform/process/on-shutdown";
import { openConnection, postBytes, type Connection } from "./connection.ts";
import type { Job, Measurement, Outcome, Subject } from "./job.ts";

/** The load generator: takes one job at a time from whoever started it, and answers with its outcome. */
process.on("message", (job: Job) => {
  void run(job)
    .catch((error: unknown): Outcome => ({ failed: error instanceof Error ? error.message : String(error) }))
    .then((outcome) => process.send?.(outcome));
});
exitWithParent(() => process.exit());
process.send?.("ready");

const strayMs = 10_000;

async function run(job: Job): Promise<Outcome> {
  return job.kind === "fill" ? { filled: await fill(job, job.count) } : { measured: await measure(job, job) };
}

async function fill(job: Job, count: number): Promise<readonly Subject[]> {
  const filled: Subject[] = [];
  let sent = 0;
  await drive(job, {
    goesOn: () => sent++ < count,
    onReply: ({ key, practiceId }, reply) => filled.push({ key, practiceId, taskId: taskIdIn(reply) }),
    endsWithinMs: 120_000,
  });
  return filled;
}

async function measure(job: Job, { warmMs, measureMs }: { warmMs: number; measureMs: number }): Promise<Measurement> {
  const from = performance.now() + warmMs;
  const until = from + measureMs;
  const latencies: number[] = [];
  let cpu: NodeJS.CpuUsage | undefined;
  let used: NodeJS.CpuUsage | undefined;
  let replies = 0;
  await drive(job, {
    goesOn: () => performance.now() < until,
    onReply: (_subject, _reply, beganMs) => {
      const now = performance.now();
      replies += 1;
      if (now >= from) cpu ??= process.cpuUsage();
      if (now >= until) used ??= process.cpuUsage(cpu);
      else if (now >= from) latencies.push(now - beganMs);
    },
    endsWithinMs: warmMs + measureMs + strayMs,
  });
  const sorted = Float64Array.from(latencies).sort();
  const { user, system } = used ?? process.cpuUsage(cpu);
  return {
    requestsPerS: latencies.length / (measureMs / 1000),
    p50Ms: quantile(sorted, 0.5),
    p95Ms: quantile(sorted, 0.95),
    replies,
    generatorCpu: (user + system) / 1000 / measureMs,
  };
}

/** The smallest value that this share of all values does not exceed. */
function quantile(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

type Course = {
  readonly goesOn: () => boolean;
  readonly onReply: (subject: Subject, reply: string, beganMs: number) => void;
  readonly endsWithinMs: number;
};

/** Keeps one request under way on each connection while it goes on; the first wrong reply fails the whole. */
async function drive(job: Job, { goesOn, onReply, endsWithinMs }: Course): Promise<void> {
  const failure = Promise.withResolvers<never>();
  const tooLong = setTimeout(() => failure.reject(new Error("replies did not come")), endsWithinMs);
  const opening = Array.from({ length: job.clients }, () => openConnection(job.port, failure.reject));
  const connections = await Promise.race([Promise.all(opening), failure.promise]);
  const next = requestsOf(job);
  const keepBusy = (connection: Connection): Promise<void> =>
    new Promise((resolve) => {
      const step = (): void => {
        if (!goesOn()) return resolve();
        const { subject, request } = next();
        const beganMs = performance.now();
        connection.exchange(request, (reply) => {
          if (!isTask(reply, job, subject)) return failure.reject(new Error(`${job.method} was answered ${reply}`));
          onReply(subject, reply, beganMs);
          step();
        });
      };
      step();
    });
  try {
    await Promise.race([Promise.all(connections.map(keepBusy)), failure.promise]);
  } finally {
    clearTimeout(tooLong);
    connections.forEach((connection) => connection.close());
  }
}

function isTask(reply: string, { method }: Job, { taskId }: Subject): boolean {
  const isOwn = method === "message/send" || reply.includes(`"id":"${taskId}"`);
  return isOwn && reply.startsWith("HTTP/1.1 200 ") && reply.includes('"result":{"kind":"task","id":"');
}

function taskIdIn(reply: string): string {
  // Safe because `isTask` saw the member.
  return (JSON.parse(reply.slice(reply.indexOf("\r\n\r\n") + 4)) as { result: { id: string } }).result.id;
}

/** Requests on subjects drawn at random, to fill in turns, each message with an id of its own. */
function requestsOf({
  kind,
  port,
  method,
  subjects,
  serviceReview,
  historyLength = 0,
}: Job): () => { subject: Subject; request: string } {
  const once = crypto.randomUUID();
  let sent = 0;
  const paramsOf = ({ practiceId, taskId }: Subject): object => {
    if (method === "tasks/get") return { id: taskId, ...(historyLength > 0 ? { historyLength } : {}) };
    const data = { skill: "prior_auth_intake", practiceId, serviceReview };
    const message = { kind: "message", role: "user", messageId: `${once}-${sent}`, parts: [{ kind: "data", data }] };
    // One that names a task continues it.
    return { message: taskId === undefined ? message : { ...message, taskId } };
  };
  return () => {
    sent += 1;
    const subject = subjects[kind === "fill" ? sent % subjects.length : Math.floor(Math.random() * subjects.length)];
    if (!subject) throw new Error("A job needs subjects.");
    const body = JSON.stringify({ jsonrpc: "2.0", id: sent, method, params: paramsOf(subject) });
    return { subject, request: postBytes(port, { key: subject.key, body }) };
  };
}
