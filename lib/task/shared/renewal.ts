/** SQL: a request that renews or extends the case `t`, unless it came to nothing or was denied. */
export const renewalOf = `SELECT FROM task r WHERE r.earlier_task_id = t.id AND r.practice_id = t.practice_id
  AND r.state NOT IN ('withdrawn', 'declined', 'failed', 'voided')
  AND NOT (r.state = 'determined'
           AND EXISTS (SELECT FROM determination e WHERE e.id = r.determination_id AND e.outcome = 'denied'))`;
