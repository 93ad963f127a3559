-- The ledger: what each sealed hand came to, and who paid whom. Append-only like the log: a
-- correction is a further revision that cancels the lines of the one before and posts its own.

-- One row for each seal that was settled. `points` is what the hand is worth to each seat at this
-- revision, in units of the stake. `position` is the order of settling, without gaps, and what the
-- read side follows. It is not unique here because a key of a distributed table must contain
-- game_id; two settlers at once would already collide on the seal.
create table settlement (
  game_id uuid not null,
  hand integer not null check (hand >= 1),
  revision smallint not null check (revision >= 1),
  position bigint not null check (position >= 1),
  seal_position bigint not null check (seal_position >= 1),
  seq integer not null check (seq >= 1),
  club_id uuid not null,
  ruleset text not null,
  ruleset_version integer not null,
  engine text not null,
  result text not null check (result in ('hu', 'huang_zhuang', 'abandoned')),
  players uuid[] not null check (cardinality(players) = 4),
  points integer[] not null check (
    cardinality(points) = 4 and points[1] + points[2] + points[3] + points[4] = 0
    and array_position(points, null) is null),
  stake integer not null check (stake >= 0),
  ladder_start integer not null,
  dealer smallint not null check (dealer between 0 and 3),
  streak integer not null,
  next_dealer smallint check (next_dealer between 0 and 3),
  next_streak integer not null,
  facts jsonb,
  score jsonb not null,
  ended_at_ms bigint not null,
  settled_at timestamptz not null default now(),
  primary key (game_id, hand, revision),
  unique (game_id, seal_position),
  check ((result = 'abandoned') = (facts is null))
);
create index settlement_by_position on settlement (position);
create index settlement_by_club on settlement (club_id, position);

-- One payment. `reverses` is the line of the revision before that this line cancels.
create table transfer (
  game_id uuid not null,
  hand integer not null,
  revision smallint not null,
  line smallint not null check (line >= 1),
  payer uuid not null,
  payee uuid not null,
  payer_seat smallint not null check (payer_seat between 0 and 3),
  payee_seat smallint not null check (payee_seat between 0 and 3),
  points integer not null check (points > 0),
  kind text not null check (kind in ('hu', 'gang', 'side')),
  item text not null,
  rule text not null,
  seq integer not null,
  reverses smallint check (reverses is null or revision > 1),
  primary key (game_id, hand, revision, line),
  foreign key (game_id, hand, revision) references settlement,
  check (payer <> payee and payer_seat <> payee_seat)
);
create unique index transfer_reversed_once on transfer (game_id, hand, revision, reverses)
  where reverses is not null;
create index transfer_by_payer on transfer (payer, game_id, hand);
create index transfer_by_payee on transfer (payee, game_id, hand);

-- Every settlement whose payments are not what it states: its own lines must come to `points`, its
-- reversals must take back exactly the points of the revision before. Always empty.
create view ledger_mismatch as
  select s.game_id, s.hand, s.revision, s.points as stated, sums.paid,
         before.points as cancelled, sums.reversed
  from settlement s
  left join settlement before
    on before.game_id = s.game_id and before.hand = s.hand and before.revision = s.revision - 1
  cross join lateral (
    select array_agg(seat.paid order by seat.n) as paid,
           array_agg(seat.reversed order by seat.n) as reversed
    from (
      select n,
             coalesce(sum(change.points) filter (where change.reverses is null), 0)::integer,
             coalesce(sum(change.points) filter (where change.reverses is not null), 0)::integer
      from generate_series(0, 3) as n
      left join (
        select t.payee_seat as seat, t.points, t.reverses from transfer t
          where t.game_id = s.game_id and t.hand = s.hand and t.revision = s.revision
        union all
        select t.payer_seat, -t.points, t.reverses from transfer t
          where t.game_id = s.game_id and t.hand = s.hand and t.revision = s.revision
      ) as change on change.seat = n
      group by n
    ) as seat(n, paid, reversed)
  ) as sums
  where sums.paid <> s.points
     or (s.revision > 1 and before.points is null)
     or exists (select from unnest(coalesce(before.points, array[0, 0, 0, 0]), sums.reversed)
                         as pair(due, given) where due + given <> 0);

-- Asked at commit about each settlement of the transaction, and about each payment, because a
-- payment added to an old settlement would move money just as well
-- (test_a_payment_that_the_settlement_does_not_state_is_refused_at_commit).
create function refuse_mismatch() returns trigger language plpgsql as $$
declare
  wrong record;
begin
  select * into wrong from ledger_mismatch m
    where m.game_id = new.game_id and m.hand = new.hand and m.revision = new.revision;
  if found then
    raise exception 'hand % of game % does not add up: % stated, % paid, % reversed',
      new.hand, new.game_id, wrong.stated, wrong.paid, wrong.reversed
      using errcode = 'check_violation';
  end if;
  return null;
end
$$;
create constraint trigger refuse_mismatch after insert on settlement
  deferrable initially deferred for each row execute function refuse_mismatch();
alter table settlement enable always trigger refuse_mismatch;
create constraint trigger refuse_mismatch after insert on transfer
  deferrable initially deferred for each row execute function refuse_mismatch();
alter table transfer enable always trigger refuse_mismatch;

select make_append_only('settlement');
select make_append_only('transfer');

revoke all on settlement, transfer, ledger_mismatch
  from public, paipu_writer, paipu_sequencer, paipu_reader;
grant select on settlement, transfer, ledger_mismatch
  to paipu_writer, paipu_sequencer, paipu_reader;
grant insert on settlement, transfer to paipu_writer;
