import type { Destination } from "#lib/payer/model/destination";
import type { Transport } from "#lib/payer/connector";
import { hasPrivateKey, keyNotSent } from "#lib/payer/private-key";
import { smartToken } from "#lib/payer/smart";
import type { FetchedToken } from "#lib/payer/tokens";
import { testAddress, runTestSteps } from "#lib/payer/connection-test";
import { payerReasons } from "#lib/messages/reasons/payer";
import { offersNotifications, readCapability, takesSubmit } from "./capability.ts";
import { readSettings } from "./settings.ts";

/** Fetches a token as a submission would, where the route has them, and reads what the server says it can (FHIR `metadata`). */
export function testConnection(to: Destination, transport: Transport) {
  const { signal, credential } = transport;
  const base = (to.url ?? "").replace(/\/+$/, "");
  const { auth, tokenUrl, clientId, keyId, scope } = readSettings(to);
  const token = async () => {
    if (auth === "bearer" && credential !== undefined && hasPrivateKey(credential))
      return { ok: false, says: keyNotSent };
    if (auth === "bearer")
      return {
        ok: true,
        says: credential === undefined ? payerReasons.noCredential : payerReasons.fixedBearer,
        bearer: credential,
      };
    if (credential === undefined || clientId === undefined) return { ok: false, says: payerReasons.noTokenCredential };
    const fetched: FetchedToken = await smartToken({ base, tokenUrl, clientId, keyId, scope, credential }).fetch(
      signal,
    );
    if (!fetched.ok) return { ok: false, says: fetched.reason };
    return { ok: true, says: payerReasons.gaveToken, bearer: fetched.value };
  };
  return runTestSteps([
    testAddress(base, signal),
    { name: "token", run: token },
    { name: "answer", run: (bearer) => capability(base, { credential: bearer, signal }) },
  ]);
}

async function capability(base: string, going: Pick<Transport, "credential" | "signal">) {
  const read = await readCapability(base, going);
  if (!read.ok) return read;
  const { capability: offered } = read;
  if (!offered.fhirVersion.startsWith("4.0")) return { ok: false, says: payerReasons.otherFhir };
  const says = takesSubmit(offered) ? payerReasons.takesSubmit : payerReasons.submitNotNamed;
  return { ok: true, says: offersNotifications(offered) ? payerReasons.offersNotifications(says) : says };
}
