import type { State } from "#lib/task/model/task";

export const deliveryStatuses = ["waiting", "delivered", "failed", "superseded"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why a try brought no answer, or none is made. */
export const deliveryProblems = ["address-refused", "unreachable", "no-answer", "not-allowed"] as const;
export type DeliveryProblem = (typeof deliveryProblems)[number];

/** One change of a task to tell, and what became of it. */
export type DeliveryRecord = {
  readonly id: string;
  readonly taskId: string;
  readonly version: number;
  readonly state: State;
  readonly changedAt: Date;
  readonly status: DeliveryStatus;
  readonly tries: number;
  /** When it is tried next; only while it waits. */
  readonly dueAt: Date | undefined;
  readonly triedAt: Date | undefined;
  readonly httpStatus: number | undefined;
  readonly problem: DeliveryProblem | undefined;
};
