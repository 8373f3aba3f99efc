/** How long ago a case reached its state, how long its payer took, and how long it waited here before, in hours. */
export type CaseAges = {
  readonly taskId: string;
  readonly hours: number;
  readonly tookHours: number;
  readonly waitedHours: number;
};
