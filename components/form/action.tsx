import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import type { z } from "zod";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { Result } from "#lib/platform/result";
import { noteRefusal } from "#lib/person/session/note-refusal";
import { contextOf } from "#lib/person/session/person";
import { noAnswer, refusedAnswer, signedOutAnswer, withoutSecrets, type ActAnswer } from "./act-answer.tsx";
import { acting, askProof } from "./acting.tsx";
import { entriesByField, problemsOf } from "./form-schema.tsx";

type Action<Shown> = (before: ActAnswer, form: FormData) => Promise<ActAnswer | Shown>;

type Verb<Input, Value, Refusal> = (
  ctx: Context<PersonActor>,
  input: Input,
) => Promise<Result<Value, Refusal> | Result<never, { readonly type: "signed-out" }>>;

/** Refusals that every form says the same of. */
type CommonRefusal = { readonly type: "proof-needed" | "signed-out" };

/** What a form says of a refusal; the helper adds what was typed. */
type RefusalMessage<Shown> = Pick<ActAnswer, "alert" | "problems"> & Partial<Shown>;

type Outcome<Input, Value, Refusal, Shown> = {
  /** A path to go to, or what the form shows. Without it the form shows nothing. */
  readonly done?: (value: Value, input: Input) => string | Shown | Promise<string | Shown>;
  /** What the form says of a refusal. */
  readonly refused: (
    refusal: Exclude<Refusal, CommonRefusal>,
    input: Input,
    ctx: Context<PersonActor>,
  ) => RefusalMessage<Shown> | Promise<RefusalMessage<Shown>>;
  /** The fields whose texts are never sent back. */
  readonly secrets?: readonly string[];
  /** Whether a page that stays is drawn anew, with what stands now; true if not given. */
  readonly redraws?: boolean;
};

/**
 * The server action of one act. It reads the form by the schema, finds out who posts it, with what they proved, and calls
 * the verb, which decides. Whatever is not done leaves every text in place: a problem with a field stands under that
 * field, and an act that takes a new proof asks for it. A refusal is a line in the log.
 */
export function action<Input, Value, Refusal extends { readonly type: string }, Shown extends ActAnswer = ActAnswer>(
  schema: z.ZodType<Input>,
  verb: Verb<Input, Value, Refusal>,
  { done, refused, secrets = [], redraws = true }: Outcome<Input, Value, Refusal, Shown>,
): Action<Shown> {
  const answerTo: Action<Shown> = async (_, form) => {
    const { person, answer } = await acting(form);
    if (answer) return answer;
    const read = schema.safeParse(entriesByField(form));
    if (!read.success) {
      await noteRefusal("invalid", person);
      return refusedAnswer(form, { problems: problemsOf(read.error) });
    }
    const ctx = contextOf(person);
    const result = await verb(ctx, read.data);
    if (result.ok) {
      const outcome = (await done?.(result.value, read.data)) ?? noAnswer;
      if (typeof outcome === "string") redirect(outcome);
      if (redraws) refresh();
      return outcome;
    }
    const { refusal } = result;
    if (refusal.type === "signed-out") return signedOutAnswer(form);
    if (redraws) refresh();
    if (refusal.type === "proof-needed") return askProof(form, person);
    await noteRefusal(refusal.type, person);
    // Safe because the two refusals that it excludes were answered above.
    const message = await refused(refusal as Exclude<Refusal, CommonRefusal>, read.data, ctx);
    return { ...refusedAnswer(form, message), ...message };
  };
  return secrets.length === 0
    ? answerTo
    : async (before, form) => withoutSecrets(await answerTo(before, form), secrets);
}
