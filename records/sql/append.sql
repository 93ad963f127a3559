-- One append, in one round trip and one transaction. records/append.py is its only caller.
--
-- p_events: [{type, version, occurred_at_ms, public, secret, salt, prev, hash}, ...] in their order,
--           bytes as \x hexadecimal. p_seals: null, or [{seq, hand, hash}, ...]; p_snapshots: null, or
--           [{seq, hash, format, state}, ...], for events of this append.
-- Outcomes: `appended`; `replayed` (this command was done before: its receipt); `reused` (its id
--           belongs to another command); `stale` (the head is not the one named: last_seq and hash
--           are the head's); `unknown` (there is no such game).
create function append_events(
  p_game_id uuid, p_expected_seq integer, p_head bytea,
  p_command_id text, p_fingerprint bytea, p_actor text,
  p_events jsonb, p_hash bytea, p_seals jsonb, p_snapshots jsonb,
  out outcome text, out first_seq integer, out last_seq integer, out hash bytea
) language plpgsql as $$
#variable_conflict use_column
declare
  head_seq integer;
  head_hash bytea;
  done receipt;
  last integer := p_expected_seq + jsonb_array_length(p_events);
begin
  -- Appends to one game queue here. A statement of its own, so that the ones below see what the
  -- append before us committed (test_two_commands_in_flight_with_one_id_write_once).
  perform pg_advisory_xact_lock(uuid_hash_extended(p_game_id, 0));

  -- Asked of the one partition by name. A prepared query of `event` would lock every month there is
  -- at each append (test_an_append_locks_the_partitions_of_one_month).
  execute format('select seq, hash from %I where game_id = $1 order by seq desc limit 1',
                 'event_' || month_of(p_game_id))
    into head_seq, head_hash using p_game_id;
  if head_seq is null and exists (select from game where id = p_game_id) then
    head_seq := 0;
    head_hash := decode(repeat('00', 32), 'hex');
  end if;

  if head_seq = p_expected_seq and head_hash = p_head then
    insert into receipt (game_id, command_id, fingerprint, first_seq, last_seq, hash, actor)
      values (p_game_id, p_command_id, p_fingerprint, p_expected_seq + 1, last, p_hash, p_actor)
      on conflict do nothing;
    if found then
      insert into event
          (game_id, seq, type, version, occurred_at_ms, public, secret, salt, prev, hash)
        select p_game_id, p_expected_seq + place, type, version, occurred_at_ms, public, secret,
               salt, prev, hash
        from rows from (jsonb_to_recordset(p_events) as (
          type text, version smallint, occurred_at_ms bigint, public jsonb, secret jsonb,
          salt bytea, prev bytea, hash bytea)) with ordinality as given(
          type, version, occurred_at_ms, public, secret, salt, prev, hash, place);
      if p_seals is not null then
        insert into seal_queue (game_id, hand, seq, hash)
          select p_game_id, hand, seq, hash
          from jsonb_to_recordset(p_seals) as given(hand integer, seq integer, hash bytea);
      end if;
      if p_snapshots is not null then
        insert into hand_snapshot (game_id, seq, hash, format, state)
          select p_game_id, seq, hash, format, state
          from jsonb_to_recordset(p_snapshots)
            as given(seq integer, hash bytea, format smallint, state bytea)
          on conflict do nothing;
      end if;
      outcome := 'appended';
      first_seq := p_expected_seq + 1;
      last_seq := last;
      hash := p_hash;
      return;
    end if;
  end if;

  select * into done from receipt where game_id = p_game_id and command_id = p_command_id;
  if found then
    outcome := case when done.fingerprint = p_fingerprint then 'replayed' else 'reused' end;
    first_seq := done.first_seq;
    last_seq := done.last_seq;
    hash := done.hash;
  else
    outcome := case when head_seq is null then 'unknown' else 'stale' end;
    last_seq := head_seq;
    hash := head_hash;
  end if;
end
$$;
