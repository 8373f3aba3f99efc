import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import type { z } from "zod";
import type { Context } from "#lib/access/context";
import type { PersonActor } from "#lib/access/model/actor";
import type { Result } from "#lib/platform/result";
import { noteRefusal } from "#lib/person/session/note-refusal";
import { contextOf, currentPerson } from "#lib/person/session/person";
import { currentVisitor, type Visitor } from "#lib/person/session/visitor";
import { noAnswer, refusedAnswer, signedOutAnswer, withoutSecrets, type ActAnswer } from "./act-answer.tsx";
import { askProof, signedInSender, type Sender } from "./acting.tsx";
import { entriesByField, problemsOf } from "./form-schema.tsx";

type Person = Context<PersonActor>;

type Action<Shown> = (before: ActAnswer, form: FormData) => Promise<ActAnswer | Shown>;

/** Refusals that every form says the same of. */
type CommonRefusal = { readonly type: "proof-needed" | "signed-out" };

type Verb<Ctx, Input, Value, Refusal> = (
  ctx: Ctx,
  input: Input,
) => Promise<Result<Value, Refusal> | Result<never, { readonly type: "signed-out" }>>;

/** What a form says of a refusal; the helper adds what was typed. */
type RefusalMessage<Shown> = Pick<ActAnswer, "alert" | "problems"> & Partial<Shown>;

type Outcome<Ctx, Input, Value, Refusal, Shown> = {
  /** A path to go to, or what the form shows. Without it the form shows nothing. */
  readonly done?: (value: Value, input: Input) => string | Shown | Promise<string | Shown>;
  /** What the form says of a refusal. */
  readonly refused: (
    refusal: Exclude<Refusal, CommonRefusal>,
    input: Input,
    ctx: Ctx,
  ) => RefusalMessage<Shown> | Promise<RefusalMessage<Shown>>;
  /** What the form goes on showing while nothing was done, such as what the act would come to. */
  readonly kept?: (input: Input, ctx: Ctx) => Promise<Partial<Shown>>;
  /** The fields whose texts are never sent back. */
  readonly secrets?: readonly string[];
  /** Whether a page that stays is drawn anew, with what stands now; true if not given. */
  readonly redraws?: boolean;
  /** Counts a refusal that many strangers can cause at will, instead of a line in the log. */
  readonly counted?: (refusal: Refusal) => void;
};

/**
 * The server action of one act. It reads the form by the schema, finds out who posts it, with what they proved, and calls
 * the verb, which decides. Whatever is not done leaves every text in place: a problem with a field stands under that
 * field, and an act that takes a new proof asks for it. A refusal is a line in the log.
 */
export function action<Input, Value, Refusal extends { readonly type: string }, Shown extends ActAnswer = ActAnswer>(
  schema: z.ZodType<Input>,
  verb: Verb<Person, Input, Value, Refusal>,
  outcome: Outcome<Person, Input, Value, Refusal, Shown>,
): Action<Shown> {
  return answering(signedInSender, schema, verb, outcome);
}

/** The same for an act of whoever is not signed in: by a password, a link or a key. */
export function visitorAction<
  Input,
  Value,
  Refusal extends { readonly type: string },
  Shown extends ActAnswer = ActAnswer,
>(
  schema: z.ZodType<Input>,
  verb: Verb<Visitor, Input, Value, Refusal>,
  outcome: Outcome<Visitor, Input, Value, Refusal, Shown>,
): Action<Shown> {
  const senderOf = async () => ({ ctx: await currentVisitor() });
  return answering(senderOf, schema, verb, { redraws: false, ...outcome });
}

function answering<
  Ctx extends Person | Visitor,
  Input,
  Value,
  Refusal extends { readonly type: string },
  Shown extends ActAnswer,
>(
  senderOf: (form: FormData) => Promise<Sender<Ctx>>,
  schema: z.ZodType<Input>,
  verb: Verb<Ctx, Input, Value, Refusal>,
  { done, refused, kept, secrets = [], redraws = true, counted }: Outcome<Ctx, Input, Value, Refusal, Shown>,
): Action<Shown> {
  const answerTo: Action<Shown> = async (before, form) => {
    // A form that names an action without what binds it to an answer. Next fails on it after this, and as long as nothing
    // of ours has begun, that is told as a form that could not be read.
    if (before instanceof FormData) return noAnswer;
    const sender = await senderOf(form);
    if (!("ctx" in sender)) return sender.answer;
    const { ctx, answer } = sender;
    const read = await schema.safeParseAsync(entriesByField(form));
    if (answer) return { ...answer, ...(read.success && (await kept?.(read.data, ctx))) };
    if (!read.success) {
      await noteRefusal("invalid", ctx.actor);
      return refusedAnswer(form, { problems: problemsOf(read.error) });
    }
    const result = await verb(ctx, read.data);
    if (result.ok) {
      const outcome = (await done?.(result.value, read.data)) ?? noAnswer;
      if (typeof outcome === "string") redirect(outcome);
      if (redraws) refresh();
      return outcome;
    }
    const { refusal } = result;
    if (isCommon(refusal)) await noteRefusal(refusal.type, ctx.actor);
    if (refusal.type === "signed-out") return signedOutAnswer(form);
    if (redraws) refresh();
    const stays = await kept?.(read.data, ctx);
    if (refusal.type === "proof-needed" && ctx.actor) return { ...(await askProof(form, ctx.actor)), ...stays };
    // Safe because the two refusals that it excludes were answered above.
    const because = refusal as Exclude<Refusal, CommonRefusal>;
    await (counted ? counted(because) : noteRefusal(because.type, ctx.actor));
    const message = await refused(because, read.data, ctx);
    return { ...refusedAnswer(form, message), ...stays, ...message };
  };
  return secrets.length === 0
    ? answerTo
    : async (before, form) => withoutSecrets(await answerTo(before, form), secrets);
}

function isCommon({ type }: { readonly type: string }): boolean {
  return type === "signed-out" || type === "proof-needed";
}

/** Where a call leads. */
type Ways<Input, Value> = {
  readonly done?: (value: Value, input: Input) => string;
  readonly refused?: string;
  readonly signedOut?: string;
};

/** A script gives what the schema reads; a form posts its fields. */
type Call<Given, Value> = (given?: Given | FormData) => Promise<Value | undefined>;

/**
 * The server action of an act that a script calls, or a form that has no place for an answer. The value is given back, or
 * leads on; nobody signed in and a refusal give undefined, or lead elsewhere. A refusal is a line in the log.
 */
export const call = callOf(async (): Promise<Person | undefined> => {
  const person = await currentPerson();
  return person && contextOf(person);
});

/** The same for whoever is not signed in. */
export const visitorCall = callOf(currentVisitor);

function callOf<Ctx extends Person | Visitor>(ctxOf: () => Promise<Ctx | undefined>) {
  function made<Input, Given, Value, Refusal extends { readonly type: string }>(
    schema: z.ZodType<Input, Given>,
    verb: Verb<Ctx, Input, Value, Refusal>,
    ways: Ways<Input, Value> & { readonly done: (value: Value, input: Input) => string },
  ): Call<Given, undefined>;
  function made<Input, Given, Value, Refusal extends { readonly type: string }>(
    schema: z.ZodType<Input, Given>,
    verb: Verb<Ctx, Input, Value, Refusal>,
  ): Call<Given, Value>;
  function made<Input, Given, Value, Refusal extends { readonly type: string }>(
    schema: z.ZodType<Input, Given>,
    verb: Verb<Ctx, Input, Value, Refusal>,
    { done, refused, signedOut }: Ways<Input, Value> = {},
  ): Call<Given, Value> {
    return async (given) => {
      const ctx = await ctxOf();
      if (!ctx) {
        await noteRefusal("signed-out");
        return elsewhere(signedOut);
      }
      const read = await schema.safeParseAsync(given instanceof FormData ? entriesByField(given) : given);
      if (!read.success) {
        await noteRefusal("invalid", ctx.actor);
        return elsewhere(refused);
      }
      const result = await verb(ctx, read.data);
      if (!result.ok) {
        await noteRefusal(result.refusal.type, ctx.actor);
        return elsewhere(refused);
      }
      if (done) redirect(done(result.value, read.data));
      return result.value;
    };
  }
  return made;
}

function elsewhere(path: string | undefined): undefined {
  if (path !== undefined) redirect(path);
}
