-- The four roles of paipu's database. Safe to run again. Run it as a superuser (or as a login with
-- CREATEROLE that owns the database), connected to paipu's own database, once before `migrate`.
--
--   paipu_owner      owns the tables; migrations only
--   paipu_writer     the API and the workers
--   paipu_sequencer  gives sealed hands their place in the journal
--   paipu_reader     the read side
--
-- None can log in. Each login that an installation uses is made a member of what it may act as:
--   GRANT paipu_owner, paipu_writer, paipu_sequencer, paipu_reader TO my_login;
DO $$
DECLARE
  role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['paipu_owner', 'paipu_writer', 'paipu_sequencer', 'paipu_reader']
  LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
      EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
    END IF;
  END LOOP;
END
$$;

REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO paipu_owner, paipu_writer, paipu_sequencer, paipu_reader;
GRANT CREATE ON SCHEMA public TO paipu_owner;

-- What a new table gives is the least that any table needs, so that a table of the log for which
-- somebody forgot a line cannot be changed. `manage.py migrate` adds UPDATE and DELETE for the
-- writer on Django's mutable tables (api/management/commands/migrate.py says which those are).
ALTER DEFAULT PRIVILEGES FOR ROLE paipu_owner IN SCHEMA public
  GRANT SELECT, INSERT ON TABLES TO paipu_writer;
ALTER DEFAULT PRIVILEGES FOR ROLE paipu_owner IN SCHEMA public
  GRANT SELECT ON TABLES TO paipu_sequencer, paipu_reader;
ALTER DEFAULT PRIVILEGES FOR ROLE paipu_owner IN SCHEMA public
  GRANT USAGE, SELECT ON SEQUENCES TO paipu_writer;
