import { Notice } from "#components/shell/notice";
import { idleDays, keyWarnings, soonDays, type KeyWarning } from "#lib/channel/key-warnings";
import type { ChannelRecord } from "#lib/channel/list-channels";
import { rsaBitsMin } from "#lib/channel/client-keys";
import { now } from "#lib/platform/now";
import { env } from "#lib/platform/env";

type Props = { readonly channel: ChannelRecord; readonly practices: number };

/** What makes the channel's keys less safe than they could be, each with what to do about it. */
export function KeySafety({ channel, practices }: Props) {
  const warnings = keyWarnings(channel, { practices, now: now() });
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warn" title="Key safety" className="mb-6">
      <ul className="grid list-disc gap-1 ps-4">
        {warnings.map((warning) => (
          <li key={JSON.stringify(warning)}>{textOf(warning)}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** The day in UTC, as the setting says it. */
function ownersFrom(): string {
  return env().CHANNEL_OWNERS_FROM.toISOString().slice(0, 10);
}

function textOf(warning: KeyWarning): string {
  switch (warning.type) {
    case "ends-soon":
      return `The key ending ${warning.lastFour} ends within ${soonDays} days, and none takes over. Rotate it.`;
    case "idle":
      return `Nobody has used the key ending ${warning.lastFour} for ${idleDays} days. Revoke it if nobody will.`;
    case "client-weak":
      return `A public key of the agent's has fewer than ${rsaBitsMin} bits: what it signs gets no token. Ask the agent for another and save it.`;
    case "client-ends-soon":
      return `The agent's public keys end within ${soonDays} days. Save them again, or newer ones.`;
    case "client-idle":
      return `The agent has not called with a token for ${idleDays} days. Remove its public keys if it will not.`;
    case "every-practice":
      return "The channel reaches every practice. Leave it those it works for.";
    case "wide-network":
      return `The network ${warning.network} is wider than any one organization's.`;
    case "no-rate":
      return "Its calls a second have no limit: a program gone wrong could keep everybody else waiting.";
    case "no-owner":
      return `Nobody answers for it. Name an owner: from ${ownersFrom()} on nothing it asks can be released without one.`;
  }
}
