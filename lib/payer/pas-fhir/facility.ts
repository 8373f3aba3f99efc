import type { Location, Organization, Reference } from "fhir/r4";
import type { Build } from "#lib/payer/connector";
import { nonBlank } from "#lib/payer/non-blank";
import { addressOf, telecomsOf } from "./contact.ts";
import { defined, type Entry, namesOf, part } from "./parts.ts";
import { profiles, systems } from "./vocabulary.ts";

/** Where the service is provided, as an organization and, where its address is known, as a place. */
export type Facility = {
  readonly organization?: Reference;
  readonly location?: Reference;
  readonly entries: readonly Entry[];
};

/** The facility a review names; nothing without its name, which both profiles demand. */
export function facilityOf(from: Build): Facility {
  const { facility } = from.review;
  const title = nonBlank(facility?.name);
  if (!facility || title === undefined) return { entries: [] };
  const name = namesOf(from);
  const address = addressOf(facility);
  const telecom = telecomsOf(facility);
  const identifier = facility.npi === undefined ? undefined : [{ system: systems.npi, value: facility.npi }];
  const organization = part(
    name("facility/organization"),
    defined<Organization>({
      resourceType: "Organization",
      meta: { profile: [profiles.organization] },
      identifier,
      active: true,
      name: title,
      telecom,
      address: address && [address],
    }),
  );
  if (!address) return { organization: organization.reference, entries: organization.entries };
  const location = part(
    name("facility/location"),
    defined<Location>({
      resourceType: "Location",
      meta: { profile: [profiles.location] },
      identifier,
      status: "active",
      name: title,
      telecom,
      address,
      managingOrganization: organization.reference,
    }),
  );
  return {
    location: location.reference,
    organization: organization.reference,
    entries: [...location.entries, ...organization.entries],
  };
}
