import { ActDialog } from "#components/form/act-dialog";
import { ActButtons, ActForm, ActText } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { Time } from "#components/text/time";
import { PlainText } from "#components/text/plain-text";
import type { OwnFactors } from "#lib/person/second-factor/factors-view";
import { removeOwnPasskey, renameOwnPasskey } from "./actions.ts";

/** Somebody's passkeys, each with its own two forms. */
export function Passkeys({ list }: { readonly list: OwnFactors["passkeys"] }) {
  if (list.length === 0) return null;
  return (
    <ul className="mb-4 grid gap-3">
      {list.map(({ id, name, createdAt, lastUsedAt }) => (
        <li key={id} className="border-b border-line pb-3">
          <p className="font-semibold">
            <PlainText>{name}</PlainText>
          </p>
          <p className="text-sm text-ink-faint">
            Added <Time at={createdAt} />
            {lastUsedAt && (
              <>
                , last used <Time at={lastUsedAt} />
              </>
            )}
          </p>
          <details className="mt-1">
            <summary className="text-sm text-ink-soft hover:text-ink">Rename or remove {name}</summary>
            <div className="mt-2 grid gap-4">
              <ActForm act={renameOwnPasskey}>
                <input type="hidden" name="id" value={id} />
                <ActText label="Name" name="name" defaultValue={name} maxLength={60} required autoComplete="off" />
                <ActButtons>
                  <SubmitButton>Rename</SubmitButton>
                </ActButtons>
              </ActForm>
              <div>
                <ActDialog
                  act={removeOwnPasskey}
                  about={{ id }}
                  label={`Remove ${name}`}
                  tone="danger"
                  title={`Remove ${name}?`}
                  confirm="Remove passkey"
                  confirmTone="danger"
                >
                  <p>It no longer signs you in or verifies your identity. Other passkeys and your app stay.</p>
                </ActDialog>
              </div>
            </div>
          </details>
        </li>
      ))}
    </ul>
  );
}
