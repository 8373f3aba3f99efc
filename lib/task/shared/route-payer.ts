/*
 * A task's request goes over the payer's own connection, unless a rule of the practice's directory chose another: then
 * `route_payer_id` names that one.
 */

/** The payer id of the payer connection that a task's request goes over, as SQL. */
export const routePayer = (task: string) => `coalesce(${task}.route_payer_id, ${task}.payer_id)`;

/** Whether a task's request goes over the connection with this payer id, as SQL that both indexes serve. */
export const isOnConnection = (task: string, payerId: string) =>
  `(${task}.payer_id = ${payerId} AND ${task}.route_payer_id IS NULL OR ${task}.route_payer_id = ${payerId})`;

/** What people call the payer that a task names: by the directory, or else by the newest version of its connection. */
export const payerName = (task: string) => `coalesce(
  (SELECT name FROM payer WHERE practice_id = ${task}.practice_id AND payer_id = ${task}.payer_id),
  (SELECT payer_name FROM route WHERE practice_id = ${task}.practice_id AND payer_id = ${task}.payer_id
    ORDER BY version DESC LIMIT 1))`;
