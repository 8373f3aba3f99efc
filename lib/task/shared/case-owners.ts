/** Every channel that asked for something of a task. */
const channelsOf = (task: string) =>
  `SELECT channel_id FROM task WHERE id = ${task} UNION SELECT channel_id FROM message WHERE task_id = ${task}`;

/** A change of owner may commit this long after the instant it is written with. */
const margin = `interval '1 minute'`;

const practiceOf = (task: string) => `(SELECT practice_id FROM task WHERE id = ${task})`;

const reachesIt = (task: string) =>
  `EXISTS (SELECT FROM channel_practice cp WHERE cp.channel_id = c.id AND cp.practice_id = ${practiceOf(task)})`;

/** Whether the channel reached the case's practice in the version `v`. */
const reachedIt = (task: string) => `jsonb_exists(v.state -> 'practices', ${practiceOf(task)})`;

/**
 * A query for who answers for a channel that asked for something of a task, now or at any time since the case began: a
 * channel given to somebody else after it sent leaves nobody free to release what they sent. Only while the channel
 * reaches the case's practice: afterwards others administer it, and would decide who may release here. `task` is SQL.
 */
export function ownersOf(task: string): string {
  return `
    SELECT c.owner_id FROM channel c
     WHERE c.id IN (${channelsOf(task)}) AND c.owner_id IS NOT NULL AND ${reachesIt(task)}
    UNION
    SELECT (v.state ->> 'owner')::uuid
      FROM (SELECT state, lead(at) OVER (PARTITION BY channel_id ORDER BY version) AS until
              FROM channel_version WHERE channel_id IN (${channelsOf(task)})) v
     WHERE v.state ->> 'owner' IS NOT NULL AND ${reachedIt(task)}
       AND coalesce(v.until > (SELECT created_at FROM task WHERE id = ${task}) - ${margin}, true)`;
}

/**
 * A condition: nobody answers for one of the channels that asked for something of a task. A channel that no longer
 * reaches the case's practice has an owner if it had one when it last did. `task` is SQL.
 */
export function isOwnerless(task: string): string {
  return `EXISTS (
    SELECT FROM channel c WHERE c.id IN (${channelsOf(task)})
       AND CASE WHEN ${reachesIt(task)} THEN c.owner_id IS NULL ELSE (
         SELECT v.state ->> 'owner' FROM channel_version v
          WHERE v.channel_id = c.id AND ${reachedIt(task)} ORDER BY v.version DESC LIMIT 1) IS NULL END)`;
}
