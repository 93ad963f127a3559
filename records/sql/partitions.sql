-- The months of the log.

-- The smallest UUID version 7 of a month, in UTC.
create function first_id_of_month(p_month date) returns uuid language sql immutable as $$
  select (lpad(to_hex((extract(epoch from date_trunc('month', p_month::timestamp)) * 1000)::bigint),
               12, '0') || repeat('0', 20))::uuid
$$;

-- Makes the partitions of a month where they are missing; says how many it made. It runs as the
-- owner of the log, so that a worker can make months without being able to change tables otherwise.
-- A table is made first and then attached, because that does not hold up appends.
create function create_month(p_month date) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
  child text;
  made integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('paipu'), hashtext('create_month'));
  perform set_config('paipu.log_ddl', 'create_month', true);
  foreach parent in array array['event', 'receipt', 'hand_snapshot'] loop
    child := format('%s_%s', parent, to_char(p_month, 'YYYY_MM'));
    continue when to_regclass(child) is not null;
    execute format('create table %I (like %I including all)', child, parent);
    -- Rows are written through the parent alone, whatever default privileges say.
    execute format('revoke all on %I from public, paipu_writer, paipu_sequencer, paipu_reader',
                   child);
    execute format('grant select on %I to paipu_writer, paipu_sequencer, paipu_reader', child);
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, child,
                   first_id_of_month(p_month),
                   first_id_of_month((p_month + interval '1 month')::date));
    if parent <> 'hand_snapshot' then
      perform make_append_only(child::regclass);
    end if;
    made := made + 1;
  end loop;
  perform set_config('paipu.log_ddl', '', true);
  return made;
end
$$;
revoke execute on function create_month(date) from public;
grant execute on function create_month(date) to paipu_sequencer;

-- This month and the next two, so that a fresh database can record at once.
select create_month((date_trunc('month', now() at time zone 'UTC') + n * interval '1 month')::date)
from generate_series(0, 2) as n;
