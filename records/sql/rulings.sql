-- The ledger of hands becomes one of hands and of entries beside them (adjustments, penalties), of
-- any accounts: players, and the club's own, its pot. Rows from before are carried over.
-- README.md beside this folder numbers the ledger's invariants (L1, L2, ...) and names their tests.

-- Where sql/guard.sql is installed it asks for the reason
-- (test_a_ledger_from_before_rulings_is_carried_over).
set local paipu.log_ddl = 'rulings: the ledger gets entries beside hands';

drop view ledger_mismatch;
drop index transfer_by_payer;
drop index transfer_by_payee;
alter table transfer drop constraint transfer_game_id_hand_revision_fkey;

-- L2: what a settlement states comes to zero, whatever number of accounts it names.
create function total_of(p_points bigint[]) returns numeric
  language sql immutable strict parallel safe
  return (select coalesce(sum(points), 0) from unnest(p_points) as points);

alter table settlement
  add column entry integer not null default 0,
  add column started_at_ms bigint,
  alter column points type bigint[],
  alter column dealer drop not null,
  alter column streak drop not null,
  alter column next_streak drop not null,
  alter column settled_at drop default,
  drop constraint settlement_check,
  drop constraint settlement_hand_check,
  drop constraint settlement_result_check,
  drop constraint settlement_players_check,
  drop constraint settlement_points_check,
  drop constraint settlement_pkey;

alter table transfer
  add column entry integer not null default 0,
  add column position bigint,
  add column club_id uuid,
  add column ended_at_ms bigint,
  alter column payer_seat drop not null,
  alter column payee_seat drop not null,
  drop constraint transfer_kind_check,
  drop constraint transfer_check1,
  drop constraint transfer_pkey;

-- What was settled stays as it is; it only learns what the new columns say. `settled_at` was that
-- of the transaction: among rows of one transaction each comes a microsecond after the one before.
alter table settlement disable trigger refuse_change;
update settlement as s
  set started_at_ms = coalesce(
        (select occurred_at_ms from event where game_id = s.game_id and seq = 1), s.ended_at_ms),
      settled_at = later.settled_at
  from (
    select position, max(settled_at - position * interval '1 microsecond')
             over (order by position) + position * interval '1 microsecond' as settled_at
    from settlement
  ) as later
  where later.position = s.position;
alter table settlement enable always trigger refuse_change;

alter table transfer disable trigger refuse_change;
update transfer as t
  set position = s.position, club_id = s.club_id, ended_at_ms = s.ended_at_ms
  from settlement as s
  where (s.game_id, s.hand, s.revision) = (t.game_id, t.hand, t.revision);
alter table transfer enable always trigger refuse_change;

-- L1: one row for each revision of each hand and each entry. `entry` is 0 for the hand itself, else
-- the seq of the event that made the entry; `hand` is then the hand it concerns, 0 for the game.
alter table settlement
  alter column entry drop default,
  alter column started_at_ms set not null,
  add primary key (game_id, hand, entry, revision),
  add constraint settlement_hand_check check (hand >= 0 and entry >= 0 and hand + entry > 0),
  add constraint settlement_result_check check (
    result in ('hu', 'huang_zhuang', 'abandoned', 'voided') and entry = 0
    or result in ('adjusted', 'penalty', 'penalty_cancelled') and entry > 0),
  add constraint settlement_facts_check check (
    (result in ('hu', 'huang_zhuang')) = (facts is not null)
    and (entry = 0) = (dealer is not null and streak is not null and next_streak is not null)),
  add constraint settlement_players_check check (
    cardinality(players) between 2 and 24 and (entry > 0 or cardinality(players) = 4)
    and array_position(players, null) is null),
  add constraint settlement_points_check check (
    cardinality(points) = cardinality(players) and total_of(points) = 0
    and array_position(points, null) is null);

-- L3: no payment without a settlement. The columns a statement is read by are the settlement's own,
-- so that a page of a player's payments costs the same however many there are.
alter table transfer
  alter column entry drop default,
  alter column position set not null,
  alter column club_id set not null,
  alter column ended_at_ms set not null,
  add primary key (game_id, hand, entry, revision, line),
  add foreign key (game_id, hand, entry, revision) references settlement,
  add constraint transfer_kind_check check (
    kind in ('hu', 'gang', 'side') and entry = 0
    or kind in ('adjustment', 'penalty') and entry > 0),
  add constraint transfer_parties_check check (
    payer <> payee
    and case when entry = 0 then payer_seat <> payee_seat and num_nulls(payer_seat, payee_seat) = 0
             else num_nonnulls(payer_seat, payee_seat) = 0 end);
drop index transfer_reversed_once;
create unique index transfer_reversed_once
  on transfer (game_id, hand, entry, revision, reverses) where reverses is not null;
create index transfer_by_payer on transfer (payer, ended_at_ms, position, line);
create index transfer_by_payee on transfer (payee, ended_at_ms, position, line);

-- L1, L3, L4: every settlement whose payments are not what it states. `accounts` are those whose
-- own payments do not come to the points stated; `lines` are payments of the revision before that
-- are not taken back exactly, and payments of this one that take back something else; `copies` are
-- payments that say another position, club or time than their settlement. Always empty.
create view ledger_mismatch as
  select s.game_id, s.hand, s.entry, s.revision, wrong.accounts, wrong.lines, wrong.copies
  from settlement s
  cross join lateral (
    select
      (select array_agg(off.account) from (
         select account from (
           select account, points from unnest(s.players, s.points) as stated(account, points)
           union all
           select t.payer, t.points from transfer t
             where (t.game_id, t.hand, t.entry, t.revision)
                 = (s.game_id, s.hand, s.entry, s.revision) and t.reverses is null
           union all
           select t.payee, -t.points from transfer t
             where (t.game_id, t.hand, t.entry, t.revision)
                 = (s.game_id, s.hand, s.entry, s.revision) and t.reverses is null
         ) as change group by account having sum(points) <> 0
       ) as off) as accounts,
      (select array_agg(coalesce(back.line, due.line)) from (
         select * from transfer t
           where (t.game_id, t.hand, t.entry, t.revision)
               = (s.game_id, s.hand, s.entry, s.revision - 1) and t.reverses is null
       ) as due full join (
         select * from transfer t
           where (t.game_id, t.hand, t.entry, t.revision)
               = (s.game_id, s.hand, s.entry, s.revision) and t.reverses is not null
       ) as back
         on (back.reverses, back.payer, back.payee, back.points, back.kind, back.item, back.rule,
             back.seq)
          = (due.line, due.payee, due.payer, due.points, due.kind, due.item, due.rule, due.seq)
        where due.line is null or back.line is null) as lines,
      (select array_agg(t.line) from transfer t
         where (t.game_id, t.hand, t.entry, t.revision)
             = (s.game_id, s.hand, s.entry, s.revision)
           and (t.position, t.club_id, t.ended_at_ms)
            <> (s.position, s.club_id, s.ended_at_ms)) as copies
  ) as wrong
  where num_nonnulls(wrong.accounts, wrong.lines, wrong.copies) > 0
     or s.revision > 1 and not exists (
          select from settlement before
          where (before.game_id, before.hand, before.entry, before.revision)
              = (s.game_id, s.hand, s.entry, s.revision - 1));

-- Asked at commit about each settlement of the transaction, and about each payment, because a
-- payment added to an old settlement would move money just as well
-- (test_a_payment_that_the_settlement_does_not_state_is_refused_at_commit).
create or replace function refuse_mismatch() returns trigger language plpgsql as $$
declare
  wrong record;
begin
  select * into wrong from ledger_mismatch m
    where m.game_id = new.game_id and m.hand = new.hand and m.entry = new.entry
      and m.revision = new.revision;
  if found then
    raise exception
      'revision % of hand %, entry % of game % does not add up: accounts %, reversals %, copies %',
      new.revision, new.hand, new.entry, new.game_id, wrong.accounts, wrong.lines, wrong.copies
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;

revoke all on ledger_mismatch from public, paipu_writer, paipu_sequencer, paipu_reader;
grant select on ledger_mismatch to paipu_writer, paipu_sequencer, paipu_reader;
