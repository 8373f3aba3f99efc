import { requirableFieldLabels } from "#lib/messages/labels/required-fields";
import { ActCode } from "#components/form/act-code";
import { ActBoxes, ActButtons, ActForm, ActText } from "#components/form/act-form";
import { FieldGroup } from "#components/form/choice-fields";
import { SubmitButton } from "#components/form/submit-button";
import { Panel } from "#components/list/panel";
import { connectorText } from "#lib/messages/connector-text";
import type { RouteDraft } from "#lib/practice/draft/route-draft";
import { SettingFields } from "../setting-fields.tsx";
import { saveAccess } from "./actions.ts";

/** The second step: where the payer is reached, with which credential, and what it requires of a request. */
export function AccessStep({ draft }: { readonly draft: RouteDraft }) {
  const { id, practiceId, input } = draft;
  const { connector, url, settings, requiredFields } = input;
  const isManual = connector === "manual";
  return (
    <Panel title={isManual ? "Manual submission" : "Address and credential"} aside={connectorText(connector)}>
      <ActForm act={saveAccess} className="grid gap-5">
        <input type="hidden" name="practiceId" value={practiceId} />
        <input type="hidden" name="draftId" value={id} />
        <input type="hidden" name="connector" value={connector} />
        {isManual ? (
          <p className="text-ink-soft">
            A person submits released requests through the payer&rsquo;s portal, by fax or by phone, and records the
            answer. There is no address to set.
          </p>
        ) : (
          <>
            <ActCode
              label="Address"
              name="url"
              required
              defaultValue={url ?? ""}
              hint="The payer's base address, https. A path such as /fhir belongs to it."
            />
            <Credential draft={draft} />
            <SettingFields connector={connector} settings={settings} />
          </>
        )}
        <details open={requiredFields.length > 0}>
          <summary className="font-semibold">Fields the payer requires</summary>
          <p className="my-2 text-ink-soft">
            Beyond what the connection needs. A request without one goes back to the agent before anyone reviews it.
          </p>
          <FieldGroup legend="Required">
            <div className="grid gap-x-8 gap-y-1 sm:grid-cols-2">
              <ActBoxes
                name="requiredFields"
                list={Object.entries(requirableFieldLabels).map(([value, label]) => ({ value, label: capital(label) }))}
                ticked={requiredFields}
              />
            </div>
          </FieldGroup>
        </details>
        <ActButtons>
          <SubmitButton tone="primary">Continue</SubmitButton>
        </ActButtons>
      </ActForm>
    </Panel>
  );
}

function Credential({ draft: { hasCredential, input } }: { readonly draft: RouteDraft }) {
  const has = hasCredential || input.keepCredential;
  return (
    <div className="grid max-w-md gap-2">
      <ActText
        label="Credential"
        name="credential"
        type="password"
        maxLength={8000}
        autoComplete="new-password"
        hint={
          has
            ? "One is stored and never shown again. Leave this empty to keep it; it goes to the same server alone."
            : "A bearer token, a client secret or a private key as JWK. Stored encrypted and never shown again."
        }
      />
      {has && <ActBoxes name="removeCredential" list={[{ value: "yes", label: "Remove the stored credential" }]} />}
    </div>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
