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
    // Runs for which no job was added, and runs that are to be cancelled.
    `alter table ${schema}.run add has_job bool not null default false, add deadline_at timestamptz;
     create index run_without_job on ${schema}.run (queued_at) where is_open and not has_job;
     create index run_deadline on ${schema}.run (deadline_at) where deadline_at is not null`,
    // Journal of a run, as it is when the function is called. A missing line is empty.
    `create function ${schema}.run_lines(id text) returns text[] language plpgsql as $$
     declare found text[]; many int;
     begin
       select array_agg(line order by n), max(run.entries) into found, many
         from ${schema}.run join ${schema}.run_entry on run_entry.run = run.id where run.id = $1;
       return case when many > cardinality(found) then array_append(found, '') else found end;
     end $$`,
    // Facts by which runs are found. A worker of an earlier version appends without them; the trigger then forgets the
    // state, so that the next list reads the journal of that run.
    `alter table ${schema}.run add facts_at int, add state text, add session text, add tenant text,
       add submitted_at float8, add ended_at float8, add is_delivered bool;
     create index run_unknown on ${schema}.run (id) where state is null;
     create index run_submitted on ${schema}.run (submitted_at) where state is not null;
     create index run_state on ${schema}.run (state, submitted_at) where state is not null;
     create index run_ended on ${schema}.run (ended_at) where ended_at is not null and state is not null;
     create index run_session on ${schema}.run (session, submitted_at) where state is not null;
     create index run_undelivered on ${schema}.run (session) where state is not null and not is_delivered;
     create index run_tenant on ${schema}.run (tenant, submitted_at) where tenant is not null and state is not null;
     create function ${schema}.forget_run_state() returns trigger language plpgsql as $$
       begin new.state := null; return new; end $$;
     create trigger run_state_unknown before update of entries on ${schema}.run for each row
       when (new.entries is distinct from old.entries and new.facts_at is distinct from new.entries)
       execute function ${schema}.forget_run_state()`,
    // Time at which a process began to wake a job, so that another one does if that is killed.
    `alter table ${schema}.run_waiting add woken_at timestamptz`,
  ]
}
