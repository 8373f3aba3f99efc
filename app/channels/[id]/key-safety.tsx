import { Notice } from "#components/shell/notice";
import { keyWarnings } from "#lib/channel/key-warnings";
import type { ChannelRecord } from "#lib/channel/list-channels";
import { keyWarningText } from "#lib/messages/admin/channel";
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
          <li key={JSON.stringify(warning)}>{keyWarningText(warning, { ownersFrom: env().CHANNEL_OWNERS_FROM })}</li>
        ))}
      </ul>
    </Notice>
  );
}
