-- Optional, for the superuser of an installation: refuses to take the guards of the log away by
-- mistake. Event triggers need a superuser, so this is no migration. Run it once:
--
--     psql -d paipu -f records/sql/guard.sql
--
-- It stops DROP, DETACH, DISABLE TRIGGER, rules and the like on append-only tables, for everybody.
-- It is a lock against mistakes, not against a thief: who means it says so first, with
--     SET paipu.log_ddl = 'the reason';
-- Against a thief there are the checkpoints kept elsewhere (`manage.py verify`).

-- A table is guarded when make_append_only was called for it, whatever its name.
create or replace function is_guarded(p_table oid) returns boolean language sql stable as $$
  select exists (select from pg_trigger where tgrelid = p_table and tgname = 'refuse_truncate')
$$;

create or replace function refuse_log_ddl() returns event_trigger language plpgsql as $$
declare
  command record;
begin
  if coalesce(current_setting('paipu.log_ddl', true), '') <> '' then
    return;
  end if;
  if tg_event = 'sql_drop' then
    for command in select object_identity from pg_event_trigger_dropped_objects()
      where object_identity ~ '^refuse_(change|truncate|gap) on '
        or object_identity ~ '^public\.(refuse_change|refuse_gap)\(\)$'
    loop
      raise exception '% belongs to the log: % is refused', command.object_identity, tg_tag
        using errcode = 'restrict_violation',
              hint = 'SET paipu.log_ddl to the reason, if this is meant.';
    end loop;
    return;
  end if;
  for command in select c.object_identity from pg_event_trigger_ddl_commands() as c
    where (c.classid = 'pg_class'::regclass and is_guarded(c.objid))
      or (c.classid = 'pg_trigger'::regclass
          and is_guarded((select tgrelid from pg_trigger where oid = c.objid)))
      or (c.classid = 'pg_rewrite'::regclass
          and is_guarded((select ev_class from pg_rewrite where oid = c.objid)))
      or (c.classid = 'pg_proc'::regclass
          and c.object_identity ~ '^public\.(refuse_change|refuse_gap)\(\)$')
  loop
    raise exception '% belongs to the log: % is refused', command.object_identity, tg_tag
      using errcode = 'restrict_violation',
            hint = 'SET paipu.log_ddl to the reason, if this is meant.';
  end loop;
end
$$;

drop event trigger if exists refuse_log_ddl;
create event trigger refuse_log_ddl on ddl_command_end execute function refuse_log_ddl();
alter event trigger refuse_log_ddl enable always;
drop event trigger if exists refuse_log_drop;
create event trigger refuse_log_drop on sql_drop execute function refuse_log_ddl();
alter event trigger refuse_log_drop enable always;
