import type pg from "pg";

/** What one transaction wrote: tables, with the column where it only changed some, and the acts it put on record. */
export type WrittenPlaces = { readonly places: readonly string[]; readonly acts: readonly string[] };

export type Watch = {
  readonly begin: () => Promise<void>;
  /** What every transaction committed since wrote. */
  readonly end: () => Promise<readonly WrittenPlaces[]>;
  /** Every table and column written under an entry so far. */
  readonly seen: () => readonly string[];
};

/** Notes what each transaction writes into any table, by triggers of the superuser's, in the transaction itself. */
export async function watchWrites(superuser: pg.Client): Promise<Watch> {
  await superuser.query(`
    CREATE SCHEMA watch;
    CREATE TABLE watch.written (id bigint GENERATED ALWAYS AS IDENTITY, tx xid8 DEFAULT pg_current_xact_id(), place text, act text);
    CREATE FUNCTION watch.note() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
    DECLARE
      -- A partition is written as its table.
      v_table text := (SELECT relname FROM pg_class WHERE oid = coalesce(pg_partition_root(TG_RELID), TG_RELID));
    BEGIN
      IF TG_TABLE_NAME = 'audit_entry' AND TG_OP = 'INSERT' THEN
        INSERT INTO watch.written (act) VALUES (NEW.act);
      ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO watch.written (place) SELECT v_table || '.' || key FROM jsonb_each(to_jsonb(NEW))
         WHERE value IS DISTINCT FROM to_jsonb(OLD) -> key;
      ELSE
        INSERT INTO watch.written (place) VALUES (v_table);
      END IF;
      RETURN NULL;
    END $$;
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition LOOP
        EXECUTE format('CREATE TRIGGER watch_note AFTER INSERT OR UPDATE OR DELETE ON public.%I FOR EACH ROW EXECUTE FUNCTION watch.note()', name);
      END LOOP;
    END $$;`);
  const seen = new Set<string>();
  return {
    begin: async () => void (await superuser.query("TRUNCATE watch.written")),
    end: async () => {
      const { rows } = await superuser.query<{ places: string[]; acts: string[] }>(
        `SELECT coalesce(array_agg(DISTINCT place) FILTER (WHERE place IS NOT NULL), '{}') AS places,
                coalesce(array_agg(DISTINCT act) FILTER (WHERE act IS NOT NULL), '{}') AS acts
           FROM watch.written GROUP BY tx`,
      );
      for (const { places, acts } of rows) if (acts.length > 0) for (const place of places) seen.add(place);
      return rows;
    },
    seen: () => [...seen],
  };
}
