/** The case ID that people use: the last eight digits of the task's id, which are random. */
export function shortIdOf(taskId: string): string {
  return taskId.slice(-8).toUpperCase();
}
