/**
 * Returns the statements that make the tables of runs, in order. A migration is never changed, only followed by
 * another, and workers of an earlier version continue to work after it.
 * @param schema name in quotes
 */
export function postgresMigrations(schema: string): readonly string[] {
  return [
    `create table ${schema}.run (
       id text primary key, entries int not null, is_open bool not null,
       queued_at timestamptz not null default clock_timestamp());
     create index run_open on ${schema}.run (queued_at) where is_open;
     create table ${schema}.run_entry (run text, n int, line text not null, primary key (run, n))`,
    // Jobs that wait for the end of another run of their tenant or model.
    `create table ${schema}.run_waiting (
       key text, job text, since timestamptz not null default clock_timestamp(), primary key (key, job));
     create index run_waiting_since on ${schema}.run_waiting (key, since)`,
  ]
}
