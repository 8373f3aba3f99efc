/**
 * Calls `leave` once when the parent process has ended for any reason, which closes its IPC channel. Does nothing in a process
 * without such a channel, such as one started by hand or by a service manager.
 */
export function exitWithParent(leave: () => void): void {
  if (process.send === undefined) return;
  if (process.connected) process.once("disconnect", leave);
  else leave();
}
