#!/bin/sh
# Make the three logins of compose.yaml, each a member of no more roles than its process needs:
# a web process that is broken into can neither change tables nor take from the seal queue.
#
# PostgreSQL's image runs this once, after roles.sql, when it makes an empty data folder.
set -eu

psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    --set web="$PAIPU_WEB_PASSWORD" \
    --set worker="$PAIPU_WORKER_PASSWORD" \
    --set migrator="$PAIPU_MIGRATOR_PASSWORD" <<'SQL'
CREATE ROLE paipu_web LOGIN PASSWORD :'web';
CREATE ROLE paipu_worker LOGIN PASSWORD :'worker';
CREATE ROLE paipu_migrator LOGIN PASSWORD :'migrator';
GRANT paipu_writer, paipu_reader TO paipu_web;
GRANT paipu_writer, paipu_reader, paipu_sequencer TO paipu_worker;
GRANT paipu_owner, paipu_sequencer TO paipu_migrator;
SQL
