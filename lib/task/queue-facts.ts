import type { ServiceReview } from "#lib/task/model/service-review";

/** What lists show of a case and search by, without opening its review. */
export function queueFacts(review: ServiceReview) {
  const { procedures, patient, subscriber } = review;
  const name = [patient?.lastName ?? subscriber?.lastName, patient?.firstName ?? subscriber?.firstName];
  const known = name.filter((part) => part !== undefined).join(", ");
  return {
    procedureCodes: procedures.map(({ code }) => code),
    patient: known === "" ? undefined : known,
    memberId: subscriber?.memberId,
    urgent: isUrgent(review),
  };
}

export function isUrgent({ serviceLevelCode }: ServiceReview): boolean {
  return serviceLevelCode !== undefined && serviceLevelCode !== "E";
}
