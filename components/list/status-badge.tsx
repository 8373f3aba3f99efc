import { Badge } from "./badge.tsx";

/** Whether a practice or a channel is in use. */
export function StatusBadge({ status }: { readonly status: "active" | "suspended" }) {
  return status === "active" ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Suspended</Badge>;
}
