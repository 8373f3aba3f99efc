import { cookies } from "next/headers";
import { ActBoxes, ActButtons, ActForm, ActSelect } from "#components/form/act-form";
import { SubmitButton } from "#components/form/submit-button";
import { readerZone } from "#components/text/time";
import { currentSession } from "#lib/person/session/person";
import { setKeys, setNext, setTimes } from "./actions.ts";

/** By whose clocks times stand on every page of this browser. */
export async function TimesForm() {
  const own = (await cookies()).get("times")?.value === "own";
  const zone = (await readerZone()).replaceAll("_", " ");
  return (
    <ActForm act={setTimes}>
      <ActSelect
        name="times"
        label="Show times"
        className="max-w-sm"
        defaultValue={own ? "own" : "practice"}
        options={[
          { value: "practice", text: "In the practice's time zone" },
          { value: "own", text: `In mine (${zone})` },
        ]}
        hint="Applies in this browser. Each time shows its zone."
      />
      <ActButtons>
        <SubmitButton>Save times</SubmitButton>
      </ActButtons>
    </ActForm>
  );
}

/** Whether single characters are shortcuts, in every browser of this person (WCAG 2.1.4). */
export async function KeysForm() {
  const single = (await currentSession())?.singleKeys ?? true;
  return (
    <ActForm act={setKeys}>
      <ActBoxes
        name="single"
        ticked={single ? ["on"] : []}
        list={[
          {
            value: "on",
            label: "Single-key shortcuts",
            hint: "When off, only Ctrl or Cmd combinations, the arrow keys and Esc work. Applies in all your browsers.",
          },
        ]}
      />
      <ActButtons>
        <SubmitButton>Save keyboard</SubmitButton>
      </ActButtons>
    </ActForm>
  );
}

/** Whether a decision leads on to the next case, in every browser of this person. */
export async function NextForm() {
  const opens = (await currentSession())?.opensNext ?? true;
  return (
    <ActForm act={setNext}>
      <ActBoxes
        name="next"
        ticked={opens ? ["on"] : []}
        list={[
          {
            value: "on",
            label: "Open the next case after a decision",
            hint: "The next case to decide in the list you came from. When off, the case you decided stays open.",
          },
        ]}
      />
      <ActButtons>
        <SubmitButton>Save</SubmitButton>
      </ActButtons>
    </ActForm>
  );
}
