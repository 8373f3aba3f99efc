import { Badge } from "./badge.tsx";

const looks = {
  active: { tone: "good", text: "Active" },
  invited: { tone: "news", text: "Invited" },
  disabled: { tone: "warn", text: "Deactivated" },
} as const;

/** Whether somebody can sign in. */
export function AccountBadge({ status }: { readonly status: keyof typeof looks }) {
  const { tone, text } = looks[status];
  return <Badge tone={tone}>{text}</Badge>;
}
