/** Every channel that asked for something of a task. */
const channelsOf = (task: string) =>
  `SELECT channel_id FROM task WHERE id = ${task} UNION SELECT channel_id FROM message WHERE task_id = ${task}`;

/** A change of owner may commit this long after the instant it is written with. */
const margin = `interval '1 minute'`;

/**
 * A query for who answers for a channel that asked for something of a task, now or at any time since the case began: a
 * channel given to somebody else after it sent leaves nobody free to release what they sent. `task` is SQL.
 */
export function ownersOf(task: string): string {
  return `
    SELECT c.owner_id FROM channel c WHERE c.id IN (${channelsOf(task)}) AND c.owner_id IS NOT NULL
    UNION
    SELECT (stood.state ->> 'owner')::uuid
      FROM (SELECT v.state, lead(v.at) OVER (PARTITION BY v.channel_id ORDER BY v.version) AS until
              FROM channel_version v WHERE v.channel_id IN (${channelsOf(task)})) stood
     WHERE stood.state ->> 'owner' IS NOT NULL
       AND coalesce(stood.until > (SELECT created_at FROM task WHERE id = ${task}) - ${margin}, true)`;
}

/** A condition: nobody answers for one of the channels that asked for something of a task. `task` is SQL. */
export function isOwnerless(task: string): string {
  return `EXISTS (SELECT FROM channel c WHERE c.id IN (${channelsOf(task)}) AND c.owner_id IS NULL)`;
}
