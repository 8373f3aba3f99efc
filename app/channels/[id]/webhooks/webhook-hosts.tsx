import { ActDialog } from "#components/form/act-dialog";
import { ActTextArea } from "#components/form/act-form";
import { Panel } from "#components/list/panel";
import { upcomingProof } from "#lib/person/session/person";
import { rotateWebhook, setWebhooks } from "../actions.ts";

type Props = { readonly channelId: string; readonly hosts: readonly string[] | undefined };

/** The hosts that the agent may name, and the secret that each delivery is signed with. */
export function WebhookHosts({ channelId, hosts }: Props) {
  return (
    <Panel
      title="Webhook hosts"
      aside={hosts ? "On" : "Off"}
      actions={
        <>
          {hosts && <RotateSecret channelId={channelId} />}
          <SetHosts channelId={channelId} hosts={hosts} />
        </>
      }
    >
      {hosts ? (
        <ul className="font-mono text-sm">
          {hosts.map((host) => (
            <li key={host} className="wrap-anywhere">
              {host}
            </li>
          ))}
        </ul>
      ) : (
        <p className="max-w-prose text-ink-soft">
          The agent can have changes of its tasks delivered instead of asking for them. A delivery holds the
          task&rsquo;s ID and state, and no patient data. Add the hosts that it may name.
        </p>
      )}
    </Panel>
  );
}

async function SetHosts({ channelId, hosts = [] }: Props) {
  return (
    <ActDialog
      act={setWebhooks}
      about={{ channelId }}
      label={hosts.length > 0 ? "Change hosts" : "Add hosts"}
      tone={hosts.length > 0 ? "plain" : "primary"}
      title="Webhook hosts"
      confirm="Save hosts"
      asks={await upcomingProof()}
    >
      <ActTextArea
        label="Webhook hosts"
        name="hosts"
        rows={3}
        defaultValue={hosts.join("\n")}
        spellCheck={false}
        className="font-mono text-sm"
        hint="One per line, such as agents.example.org. Leave empty to turn webhooks off."
      />
    </ActDialog>
  );
}

async function RotateSecret({ channelId }: Pick<Props, "channelId">) {
  return (
    <ActDialog
      act={rotateWebhook}
      about={{ channelId }}
      label="Rotate signing secret"
      title="Rotate the signing secret?"
      confirm="Create new secret"
      asks={await upcomingProof()}
    >
      <p>
        Each delivery is signed as Standard Webhooks describes. The new secret is shown once. For 24 hours, deliveries
        are signed with the current secret too.
      </p>
    </ActDialog>
  );
}
