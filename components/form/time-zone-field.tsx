import { ActSelect } from "./act-form.tsx";

/** The zones of the states and of the larger territories. */
const zones = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Phoenix",
  "America/Los_Angeles",
  "America/Anchorage",
  "Pacific/Honolulu",
  "America/Puerto_Rico",
  "Pacific/Guam",
];

/** Whose clock a practice goes by; one that it has already can be kept, wherever it is. */
export function TimeZoneField({ own }: { readonly own: string }) {
  const all = zones.includes(own) ? zones : [own, ...zones];
  return (
    <ActSelect
      label="Time zone"
      name="timeZone"
      options={all.map((zone) => ({ value: zone, text: zone.replaceAll("_", " ") }))}
      defaultValue={own}
      hint="Deadlines and quiet hours are counted in it, and times are shown in it."
    />
  );
}

/** What the field begins with: the creator's own time zone where it is one of the choices. */
export function likelyZone(own: string): string {
  return zones.includes(own) ? own : "America/New_York";
}
