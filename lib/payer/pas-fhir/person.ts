import type { Person } from "#lib/payer/same-person";
import type { Patient } from "./resources.ts";

/** A Patient as a person to compare; a gender other than the two tells nobody apart. */
export function personOf({ name = [], gender, birthDate }: Patient): Person {
  return {
    names: name,
    sex: gender === "female" || gender === "male" ? gender : undefined,
    birthDate,
  };
}
