import { createHash } from "node:crypto";
import type { DocumentReference, Reference } from "fhir/r4";
import type { OpenAttachment } from "#lib/task/model/attachment";
import type { RequestedItem } from "#lib/task/model/information-request";
import type { Build } from "#lib/payer/connector";
import { uuidOf } from "#lib/payer/trace";
import { coded, concept } from "./coded.ts";
import { namesOf, type Entry } from "./parts.ts";
import type { Information } from "./information.ts";
import type { Previous } from "./previous.ts";
import { readSettings, type PasVersion } from "./settings.ts";
import { documentProfiles, extensions, systems } from "./vocabulary.ts";

/** The files of a request as resources of its bundle, and how its Claim names them. */
export type Documents = { readonly entries: readonly Entry[]; readonly information: readonly Information[] };

/** The codes of a document without a known type: additional documentation, support for verification (LOINC, X12 755). */
const general = { loinc: "77599-9", report: "77" } as const;

/**
 * The files of a revision as DocumentReferences that contain their bytes. A file that the payer requested has the code of that
 * request; a file that was sent before stays as it was. Titles are ours, because the name of a file may name the patient.
 */
export function documentsOf(
  from: Build,
  { patient, previous }: { patient: Reference; previous?: Previous | undefined },
): Documents {
  const { version } = readSettings(from.destination);
  const name = namesOf(from);
  const wanted = requestedDocument(from);
  const made = from.attachments.map((attachment, index) => {
    const fullUrl = name(`document/${attachment.sha256}`);
    return (
      sentBefore(fullUrl, { patient, previous }) ?? {
        entry: { fullUrl, resource: documentOf(attachment, { patient, wanted, version, number: index + 1 }) },
        information: additional(fullUrl, { version, wanted, control: wanted?.trace ?? uuidOf(fullUrl) }),
      }
    );
  });
  return { entries: made.map(({ entry }) => entry), information: made.map(({ information }) => information) };
}

/** The only document that an open request for information names. With several, the files cannot be assigned to them. */
function requestedDocument({ informationRequest }: Build): RequestedItem | undefined {
  const documents = informationRequest?.items.filter(({ kind }) => kind === "document") ?? [];
  return documents.length === 1 ? documents[0] : undefined;
}

function sentBefore(fullUrl: string, { patient, previous }: { patient: Reference; previous?: Previous | undefined }) {
  const resource = previous?.others.find((entry) => entry.fullUrl === fullUrl)?.resource;
  const line = previous?.claim.supportingInfo?.find(({ valueReference }) => valueReference?.reference === fullUrl);
  if (resource?.resourceType !== "DocumentReference" || !line) return undefined;
  const { sequence: _, modifierExtension: __, ...information } = line;
  return { entry: { fullUrl, resource: { ...resource, subject: patient } }, information };
}

type DocumentContext = {
  readonly patient: Reference;
  readonly wanted: RequestedItem | undefined;
  readonly version: PasVersion;
  readonly number: number;
};

/** A US Core DocumentReference; PAS 2.2.1 requires that it contains its data. */
function documentOf(
  { contentType, bytes }: OpenAttachment,
  { patient, wanted, version, number }: DocumentContext,
): DocumentReference {
  const { code } = wanted ?? {};
  return {
    resourceType: "DocumentReference",
    meta: { profile: [documentProfiles[version]] },
    status: "current",
    type: concept(systems.loinc, code?.system === "loinc" ? code.value : general.loinc),
    category: [concept(systems.documentCategory, "clinical-note")],
    subject: patient,
    content: [
      {
        attachment: {
          contentType,
          data: Buffer.from(bytes).toString("base64"),
          size: bytes.byteLength,
          // FHIR's Attachment.hash is the SHA-1 of the data, in base64.
          hash: createHash("sha1").update(bytes).digest("base64"),
          title: `Attachment ${number}`,
        },
      },
    ],
  };
}

type InformationContext = {
  readonly version: PasVersion;
  readonly wanted: RequestedItem | undefined;
  readonly control: string;
};

/** PAS 2.2.1 requires the facts of X12 PWK about a document; 2.0.1 has no place for them. */
function additional(fullUrl: string, { version, wanted, control }: InformationContext): Information {
  const report = wanted?.code?.system === "pwk" ? wanted.code.value : general.report;
  const about = {
    url: extensions.documentInformation,
    extension: [
      coded("reportTypeCode", systems.attachment, report),
      coded("transmissionMethod", systems.reportTransmission, "EL"),
      { url: "controlNumber", valueString: control },
    ],
  };
  return {
    ...(version === "2.2.1" ? { extension: [about] } : {}),
    category: concept(systems.temporary, "additionalInformation"),
    valueReference: { reference: fullUrl },
  };
}
