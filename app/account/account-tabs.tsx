import { TabLinks } from "#components/list/tab-links";

const tabs = [
  { href: "/account", name: "Profile" },
  { href: "/account/notifications", name: "Notifications" },
  { href: "/account/security", name: "Sign-in and security" },
] as const;

/** The parts of one's own account. */
export function AccountTabs({ current }: { readonly current: (typeof tabs)[number]["href"] }) {
  return <TabLinks label="Your account" tabs={tabs} current={current} />;
}
