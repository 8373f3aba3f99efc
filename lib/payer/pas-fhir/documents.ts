import { createHash } from "node:crypto";
import type { DocumentReference, Reference } from "fhir/r4";
import type { OpenAttachment } from "#lib/task/model/attachment";
import { cleanName } from "#lib/task/model/file-name";
import type { RequestedItem } from "#lib/task/model/information-request";
import type { Build } from "#lib/payer/connector";
import { uuidOf } from "#lib/payer/trace";
import { coded, concept, type Entry, namesOf } from "./parts.ts";
import type { Information } from "./information.ts";
import type { Previous } from "./previous.ts";
import { readSettings, type PasVersion } from "./settings.ts";
import { documentProfiles, extensions, systems } from "./vocabulary.ts";

/** The files of a request as resources of its bundle, and how its Claim names them. */
export type Documents = { readonly entries: readonly Entry[]; readonly information: readonly Information[] };

/** The codes of a document without a known type: additional documentation, support for verification (LOINC, X12 755). */
const general = { loinc: "77599-9", report: "77" } as const;

/**
 * The files of a revision as DocumentReferences that contain their bytes. A file that the payer requested has the code and
 * the number of that request: the one whose code the agent says the file has, or the only one. Of several under one number, a
 * file without a type has the number alone. A file that was sent before
 * stays as it was. Titles are ours, because the name of a file may name the patient.
 */
export function documentsOf(
  from: Build,
  { patient, previous }: { patient: Reference; previous?: Previous | undefined },
): Documents {
  const { version } = readSettings(from.destination);
  const name = namesOf(from);
  const urlOf = ({ sha256 }: OpenAttachment) => name(`document/${sha256}`);
  const fresh = from.attachments.filter((file) => !sentBefore(urlOf(file), { patient, previous }));
  const kinds = kindsOf(from, fresh);
  const made = from.attachments.map((attachment, index) => {
    const fullUrl = urlOf(attachment);
    const { wanted, type, report } = kinds.get(attachment) ?? {};
    return (
      sentBefore(fullUrl, { patient, previous }) ?? {
        entry: {
          fullUrl,
          resource: documentOf(attachment, { patient, wanted, type, version, number: index + 1, at: from.openedAt }),
        },
        information: additional(fullUrl, { version, wanted, type, report, control: wanted?.trace ?? uuidOf(fullUrl) }),
      }
    );
  });
  return { entries: made.map(({ entry }) => entry), information: made.map(({ information }) => information) };
}

type FileType = NonNullable<Build["review"]["fileTypes"]>[number];

/** What a file is, as the agent says, and which requested document it is. */
type Kind = {
  readonly type?: FileType | undefined;
  readonly wanted?: RequestedItem | undefined;
  /** The type of report (PWK01) that the same request asks for beside its LOINC code. */
  readonly report?: string | undefined;
};

/**
 * Which of the requested documents each file is. One that the agent says the type of is the next with that code, and none
 * if no request has it. The others are the only requested document; with several, nobody guesses which is which, but what
 * the payer asks for under one number (X12 attachment control number) is answered under it.
 */
function kindsOf(
  { informationRequest, review }: Build,
  files: readonly OpenAttachment[],
): ReadonlyMap<OpenAttachment, Kind> {
  const documents = informationRequest?.items.filter(({ kind }) => kind === "document") ?? [];
  const only = documents.length === 1 ? documents[0] : underOneNumber(documents);
  const open = new Set(documents);
  return new Map(
    files.map((file) => {
      const type = review.fileTypes?.find(({ fileName }) => cleanName(fileName) === file.name);
      if (!type || file.name === undefined) return [file, { wanted: only }];
      const sought = documents.filter((item) => isOf(item, type));
      const wanted = sought.find((item) => open.has(item)) ?? sought.at(-1);
      if (wanted) open.delete(wanted);
      return [file, { type, wanted, report: reportBeside(wanted, documents) }];
    }),
  );
}

function underOneNumber(documents: readonly RequestedItem[]): RequestedItem | undefined {
  const [trace, ...others] = new Set(documents.map((item) => item.trace));
  return trace === undefined || others.length > 0 ? undefined : { kind: "document", trace };
}

function reportBeside(wanted: RequestedItem | undefined, documents: readonly RequestedItem[]): string | undefined {
  if (wanted?.trace === undefined) return undefined;
  const same = documents.filter(({ trace, code }) => trace === wanted.trace && code?.system === "pwk");
  return same.length === 1 ? same[0]?.code?.value : undefined;
}

function isOf({ code }: RequestedItem, { loincCode, reportTypeCode }: FileType): boolean {
  if (code?.system === "loinc") return code.value === loincCode;
  return code?.system === "pwk" && code.value === reportTypeCode;
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
  readonly version: PasVersion;
  readonly number: number;
  /** When the reference is made, which is not when the file was written. */
  readonly at: Date;
} & Kind;

/** A US Core DocumentReference; PAS 2.2.1 requires that it contains its data. */
function documentOf(
  { contentType, bytes }: OpenAttachment,
  { patient, wanted, type, version, number, at }: DocumentContext,
): DocumentReference {
  const { code } = wanted ?? {};
  const loinc = code?.system === "loinc" ? code.value : type?.loincCode;
  return {
    resourceType: "DocumentReference",
    meta: { profile: [documentProfiles[version]] },
    status: "current",
    type: concept(systems.loinc, loinc ?? general.loinc),
    category: [concept(systems.documentCategory, "clinical-note")],
    subject: patient,
    date: at.toISOString(),
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

type InformationContext = { readonly version: PasVersion; readonly control: string } & Kind;

/** PAS 2.2.1 requires the facts of X12 PWK about a document; 2.0.1 has no place for them. */
function additional(fullUrl: string, { version, wanted, type, report, control }: InformationContext): Information {
  const reportType = wanted?.code?.system === "pwk" ? wanted.code.value : (type?.reportTypeCode ?? report);
  const about = {
    url: extensions.documentInformation,
    extension: [
      coded("reportTypeCode", systems.attachment, reportType ?? general.report),
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
