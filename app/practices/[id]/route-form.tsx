import { lineOptions } from "#lib/messages/admin/practice";
import { ActCode } from "#components/form/act-code";
import { ActBoxes, ActButtons, ActForm, ActSelect, ActText } from "#components/form/act-form";
import { FieldGroup } from "#components/form/field";
import { SubmitButton } from "#components/form/submit-button";
import type { ListedPayer } from "#lib/practice/directory/show-directory";
import type { RouteRecord } from "#lib/practice/list-practices";
import { upcomingProof } from "#lib/person/session/person";
import { connectorText } from "#lib/messages/connector-text";
import { requirableFields } from "#lib/task/model/required-fields";
import { saveRoute } from "./route-actions.ts";
import { SettingFields } from "./setting-fields.tsx";

type Props = {
  readonly practiceId: string;
  readonly route?: RouteRecord | undefined;
  /** The payer of the directory that a new connection is for. */
  readonly listed?: ListedPayer | undefined;
};

const connectors = (["manual", "pas-fhir", "service-review"] as const).map((value) => ({
  value,
  text: connectorText(value),
}));

const environments = [
  { value: "", text: "The practice's own" },
  { value: "live", text: "Live" },
  { value: "test", text: "Test" },
];

/** A route's next version, with everything as it is now; a credential is only ever typed in. */
export async function RouteForm({ practiceId, route, listed }: Props) {
  // Asked for at once, since a credential that was typed is not sent back with a later question.
  return (
    <ActForm act={saveRoute} asks={await upcomingProof()}>
      <input type="hidden" name="practiceId" value={practiceId} />
      <p className="text-ink-soft">
        It is active at once, as a new version. Requests awaiting release are prepared again, because a release covers
        the address it is submitted to.
      </p>
      <div className="group grid gap-3.5">
        <Where route={route} listed={listed} />
        <SettingFields route={route} />
      </div>
      <Credential has={route?.hasCredential === true} />
      <Required route={route} />
      <ActButtons>
        <SubmitButton tone="primary">Save and activate</SubmitButton>
      </ActButtons>
    </ActForm>
  );
}

type Of = Pick<Props, "route" | "listed">;

/** Which payer, by what wire, and where. */
function Where({ route, listed }: Of) {
  return (
    <div className="grid gap-x-8 gap-y-3.5 sm:grid-cols-2">
      {route ? (
        <input type="hidden" name="payerId" value={route.payerId} />
      ) : (
        <ActCode
          label="Payer id"
          name="payerId"
          required
          maxLength={64}
          hint="As intakes name it."
          defaultValue={listed?.payerId ?? ""}
        />
      )}
      <ActText
        label="Payer's name"
        name="payerName"
        maxLength={100}
        autoComplete="off"
        defaultValue={route?.payerName ?? listed?.name ?? ""}
      />
      <ActSelect
        label="Connection type"
        name="connector"
        options={connectors}
        defaultValue={route?.connector ?? listed?.connector ?? "manual"}
      />
      <ActCode
        label="Address"
        name="url"
        defaultValue={route?.url ?? ""}
        hint="The payer's base address, https. Not needed for manual submission."
      />
      <ActSelect
        label="Environment"
        name="environment"
        options={environments}
        defaultValue={route?.environment ?? ""}
      />
      {route ? (
        <input type="hidden" name="lineOfBusiness" value={route.lineOfBusiness ?? "unknown"} />
      ) : (
        <ActSelect
          label="Line of business"
          name="lineOfBusiness"
          options={lineOptions}
          defaultValue={"unknown"}
          hint="Whose decision times bind the payer."
        />
      )}
    </div>
  );
}

function Required({ route }: Of) {
  return (
    <details open={(route?.requiredFields.length ?? 0) > 0}>
      <summary className="font-semibold">Fields the payer requires</summary>
      <p className="my-2 text-ink-soft">
        Beyond what its connector needs. A request that lacks one goes back to the agent, and is never released.
      </p>
      <FieldGroup legend="Required">
        <div className="grid gap-x-8 sm:grid-cols-2">
          <ActBoxes
            name="requiredFields"
            list={Object.entries(requirableFields).map(([value, label]) => ({ value, label: capital(label) }))}
            ticked={route?.requiredFields ?? []}
          />
        </div>
      </FieldGroup>
    </details>
  );
}

function Credential({ has }: { readonly has: boolean }) {
  return (
    <div className="max-w-md">
      <ActText
        label="Credential"
        name="credential"
        type="password"
        maxLength={8000}
        autoComplete="new-password"
        hint={
          has
            ? "One is kept, sealed, and never shown again. Left empty it goes on, as long as the address is the same."
            : "A bearer, a client secret or a private key as JWK. Kept sealed and never shown again."
        }
      />
      {has && <ActBoxes name="removeCredential" list={[{ value: "yes", label: "Remove the one that is kept" }]} />}
    </div>
  );
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
