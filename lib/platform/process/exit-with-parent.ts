/**
 * Calls `leave` once when the process that started us is gone, however it ended: the IPC channel it opened closes with
 * it. Does nothing in a process that was started without such a channel, by hand or by a service manager.
 */
export function exitWithParent(leave: () => void): void {
  if (process.send === undefined) return;
  if (process.connected) process.once("disconnect", leave);
  else leave();
}
