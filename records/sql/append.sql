-- One append, in one round trip and one transaction. records/append.py is its only caller.
--
-- p_is_head: whether the event the append builds on is the last one of the game, as far as this
--           statement can see.
-- p_events: [{type, version, occurred_at_ms, public, secret, salt, prev, hash}, ...] in their
--           order; bytes as \x hexadecimal.
-- p_seals: null, or [{seq, hand, hash}, ...]; p_snapshots: null, or
--           [{seq, hash, format, state}, ...]; both for events of this append.
-- Outcomes: `appended`; `replayed` (this command was done before: its receipt); `reused` (its id
--           belongs to another command); `stale` (the game has another head by now).
create function append_events(
  p_game_id uuid, p_expected_seq integer, p_is_head boolean,
  p_command_id text, p_fingerprint bytea, p_actor text,
  p_events jsonb, p_hash bytea, p_seals jsonb, p_snapshots jsonb,
  out outcome text, out first_seq integer, out last_seq integer, out hash bytea
) language plpgsql as $$
#variable_conflict use_column
declare
  done receipt;
begin
  outcome := 'stale';
  first_seq := p_expected_seq + 1;
  last_seq := p_expected_seq + jsonb_array_length(p_events);
  hash := p_hash;
  if p_expected_seq = 0 then
    p_is_head := p_is_head and exists (select from game where id = p_game_id);
  end if;

  -- The receipt claims the command id and the seqs behind the head. Whoever builds on the same head
  -- claims the same first seq, so of two in flight the second waits here for what becomes of the
  -- first (test_of_two_appends_in_flight_for_one_seq_one_is_stale,
  -- test_two_commands_in_flight_with_one_id_write_once).
  if p_is_head then
    insert into receipt (game_id, command_id, fingerprint, first_seq, last_seq, hash, actor)
      values (p_game_id, p_command_id, p_fingerprint, first_seq, last_seq, hash, p_actor)
      on conflict do nothing;
    if found then
      insert into event
          (game_id, seq, type, version, occurred_at_ms, public, secret, salt, prev, hash)
        select p_game_id, p_expected_seq + place, type, version, occurred_at_ms, public, secret,
               salt, prev, hash
        from rows from (jsonb_to_recordset(p_events) as (
          type text, version integer, occurred_at_ms bigint, public jsonb, secret jsonb,
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
      return;
    end if;
  end if;

  select * into done from receipt where game_id = p_game_id and command_id = p_command_id;
  if found then
    outcome := case when done.fingerprint = p_fingerprint then 'replayed' else 'reused' end;
    first_seq := done.first_seq;
    last_seq := done.last_seq;
    hash := done.hash;
  end if;
end
$$;
