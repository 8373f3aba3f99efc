/** What people call a task by: the last eight digits of its id, which are random. */
export function shortIdOf(taskId: string): string {
  return taskId.slice(-8).toUpperCase();
}
