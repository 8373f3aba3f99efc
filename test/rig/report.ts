import { cpus } from "node:os";
import type { Load } from "./load.ts";

/** How often what failed, as its sender saw it. */
export function failuresOf({ failures }: Load): string {
  return [...failures].map(([problem, count]) => `${count}: ${problem}`).join("; ") || "0";
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** What the figures were measured on. */
export function machine(): string {
  const [first] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, ${cpus().length} processors (${first?.model.trim() ?? "unknown"}), Node ${process.versions.node}`;
}
