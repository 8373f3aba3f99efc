/** SQL: the day it is in a zone, given as SQL. What ends with a day ends with the practice's, wherever its database stands. */
export const todayIn = (zone: string): string => `(now() AT TIME ZONE ${zone})::date`;

/** SQL: the same of a practice, given as SQL. */
export const todayAt = (practice: string): string =>
  `(SELECT ${todayIn("here.time_zone")} FROM practice here WHERE here.id = ${practice})`;
