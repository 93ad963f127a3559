-- The log. README.md beside this folder numbers its invariants (I1, I2, ...) and names their tests.
-- Works on PostgreSQL 15 and later; uses no extension.

-- What a column may hold is said by its type where it can be: PostgreSQL reads a table's checks
-- anew at every insert, which cost a quarter of an append, and those of a type once a session.
create domain digest as bytea check (octet_length(value) = 32);
create domain event_salt as bytea check (octet_length(value) = 16);
create domain json_body as jsonb check (jsonb_typeof(value) = 'object');
create domain number_from_1 as integer check (value >= 1);
create domain command_id as text check (length(value) between 1 and 255);

-- A game: who keeps it and when it began. What happens in it is in `event`.
create table game (
  id uuid primary key check (substring(id::text from 15 for 1) = '7'),
  club_id uuid not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  title text not null default ''
);
create index game_by_club on game (club_id, id desc);

-- I1: one event for each seq of a game. The id is a UUID version 7, so a month of ids is a month of
-- games, and time and identity are one column.
create table event (
  game_id uuid not null,
  seq number_from_1 not null,
  type text not null,
  version number_from_1 not null,
  occurred_at_ms bigint not null,
  public json_body not null,
  secret json_body,
  salt event_salt,
  prev digest not null,
  hash digest not null,
  recorded_at timestamptz not null default now(),
  primary key (game_id, seq),
  check ((secret is null) = (salt is null))
) partition by range (game_id);

-- I2: one receipt for each command of a game, kept for ever. No two claim the same first seq, which
-- is what lets the receipt decide between appends in flight (writing.py).
create table receipt (
  game_id uuid not null,
  command_id command_id not null,
  fingerprint digest not null,
  first_seq number_from_1 not null,
  last_seq integer not null check (last_seq >= first_seq),
  hash digest not null,
  actor text,
  recorded_at timestamptz not null default now(),
  primary key (game_id, command_id),
  unique (game_id, first_seq)
) partition by range (game_id);

-- Derived: the state after the last event of a hand. Dropping every row changes no answer.
create table hand_snapshot (
  game_id uuid not null,
  seq integer not null,
  hash bytea not null,
  format smallint not null,
  state bytea not null,
  made_at timestamptz not null default now(),
  primary key (game_id, seq, format)
) partition by range (game_id);

-- What was sealed but has no place in the journal yet. The order of `id` is not the journal's.
create table seal_queue (
  id bigint generated always as identity primary key,
  game_id uuid not null,
  hand integer not null,
  seq integer not null,
  hash digest not null,
  queued_at timestamptz not null default now(),
  unique (game_id, seq)
);

-- I3: the one global order, of seals. `position` is one more than the leaf's index in the tree.
create table journal (
  position bigint primary key check (position >= 1),
  game_id uuid not null,
  hand integer not null,
  seq integer not null,
  hash digest not null,
  leaf digest not null,
  sealed_at timestamptz not null default now(),
  unique (game_id, seq)
);

-- I4: signed heads of the tree over the journal. `tree` is its compact range, at most 64 hashes.
create table checkpoint (
  size bigint primary key check (size >= 0),
  root digest not null,
  tree bytea[] not null,
  note text not null,
  signed_at timestamptz not null default now()
);

-- I5: nothing recorded is changed or removed, whoever asks and in whatever mode.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'table % is append-only: % is refused', tg_table_name, tg_op
    using errcode = 'restrict_violation';
end
$$;

-- ALWAYS, because session_replication_role = replica switches ordinary triggers off. Row triggers
-- are cloned to partitions, statement triggers are not: create_month adds those.
create function make_append_only(p_table regclass) returns void language plpgsql as $$
begin
  execute format('create trigger refuse_truncate before truncate on %s
                  for each statement execute function refuse_change()', p_table);
  execute format('alter table %s enable always trigger refuse_truncate', p_table);
  if (select not relispartition from pg_class where oid = p_table) then
    execute format('create trigger refuse_change before update or delete on %s
                    for each row execute function refuse_change()', p_table);
    execute format('alter table %s enable always trigger refuse_change', p_table);
  end if;
end
$$;

select make_append_only('game');
select make_append_only('event');
select make_append_only('receipt');
select make_append_only('journal');
select make_append_only('checkpoint');

-- I3, kept by the database too: each row takes the position behind the last one.
create function refuse_gap() returns trigger language plpgsql as $$
declare
  next_position bigint := coalesce((select max(position) from journal), 0) + 1;
begin
  if new.position <> next_position then
    raise exception 'journal position % is refused: the next one is %', new.position, next_position
      using errcode = 'check_violation';
  end if;
  return new;
end
$$;
create trigger refuse_gap before insert on journal for each row execute function refuse_gap();
alter table journal enable always trigger refuse_gap;

-- I6: each role may do the least it needs. DELETE exists once: the sequencer's, on the queue.
revoke all on game, event, receipt, hand_snapshot, seal_queue, journal, checkpoint
  from public, paipu_writer, paipu_sequencer, paipu_reader;
grant select on game, event, receipt, hand_snapshot, seal_queue, journal, checkpoint
  to paipu_writer, paipu_sequencer, paipu_reader;
grant insert on game, event, receipt, hand_snapshot, seal_queue to paipu_writer;
grant insert on journal, checkpoint to paipu_sequencer;
grant delete on seal_queue to paipu_sequencer;
revoke execute on function make_append_only(regclass) from public;
