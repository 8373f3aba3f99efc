import { closedStates } from "#lib/queue/model/queue";

const over = `ARRAY[${closedStates.map((state) => `'${state}'::text`).join(", ")}]`;

/** That a task `t` is not over, as the partial indexes of open cases say it, so that Postgres sees that they serve. */
export const isOpen = `t.state <> ALL (${over})`;

/** That it is over, as theirs say it. */
export const isClosed = `t.state = ANY (${over})`;
