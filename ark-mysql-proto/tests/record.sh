#!/bin/sh
# Writes tests/recorded anew from real servers:
#   MYSQL_SOCKET=… MYSQL_PORT=… MARIADB_SOCKET=… MARIADB_PORT=… tests/record.sh
# Both servers must be fresh ones with a root account that has no password.
set -eu
cd "$(dirname "$0")/.."
cargo build -q --example record
program=${CARGO_TARGET_DIR:-../target}/debug/examples/record
record() { # NAME ADDRESS OPTIONS -- COMMANDS
  name=$1
  shift
  "$program" "$@" >"tests/recorded/$name.txt"
}
hex() { printf %s "$1" | od -An -tx1 | tr -d ' \n'; }
native=$(hex mysql_native_password)
sha2=$(hex caching_sha2_password)

for socket in "$MYSQL_SOCKET" "$MARIADB_SOCKET"; do
  "$program" "$socket" channel=socket -- "query DROP DATABASE IF EXISTS recorded" "query CREATE DATABASE recorded" "query USE recorded" \
    "query CREATE TABLE people (id BIGINT UNSIGNED NOT NULL PRIMARY KEY AUTO_INCREMENT, name VARCHAR(40) NOT NULL, born DATE, balance DECIMAL(10,2), note TEXT)" \
    "query INSERT INTO people VALUES (1, 'Ada', '1815-12-10', 12.50, NULL), (2, 'Grace', NULL, -3.25, 'rear admiral')" \
    "query CREATE PROCEDURE both_ways() BEGIN SELECT id FROM people ORDER BY id; SELECT name, note FROM people WHERE id = 2; UPDATE people SET note = note; END" \
    "query DROP USER IF EXISTS ada" >/dev/null
done
"$program" "$MYSQL_SOCKET" channel=socket -- "query CREATE USER ada IDENTIFIED BY 'secret'" "query GRANT ALL ON recorded.* TO ada" "query FLUSH PRIVILEGES" >/dev/null
"$program" "$MARIADB_SOCKET" channel=socket -- "query CREATE USER ada IDENTIFIED BY 'secret'" "query GRANT ALL ON recorded.* TO ada" \
  "query DELETE FROM mysql.global_priv WHERE user = ''" "query FLUSH PRIVILEGES" >/dev/null

ada="user=ada password=secret database=recorded"
forget="query FLUSH PRIVILEGES"
record mysql_full_clear_on_socket "$MYSQL_SOCKET" $ada channel=socket -- ping
record mysql_fast_on_network "127.0.0.1:$MYSQL_PORT" $ada channel=network attribute=ark-mysql -- ping
"$program" "$MYSQL_SOCKET" channel=socket -- "$forget" >/dev/null
record mysql_full_rsa_on_loopback "127.0.0.1:$MYSQL_PORT" $ada channel=loopback -- ping
record mysql_switch_from_native "$MYSQL_SOCKET" $ada channel=socket "mask=$native:$sha2" -- ping 2>/dev/null ||
  record mysql_switch_from_native "$MYSQL_SOCKET" $ada channel=socket "mask=$sha2:$native" -- ping
record mysql_wrong_password "$MYSQL_SOCKET" user=ada password=wrong channel=socket -- ping || true
record mysql_unknown_database "$MYSQL_SOCKET" database=nowhere channel=socket -- ping || true
record mariadb_native "127.0.0.1:$MARIADB_PORT" $ada channel=loopback extended cached -- ping quit
record mariadb_switch_to_native "$MARIADB_SOCKET" $ada channel=socket "mask=$native:$sha2" -- ping
record mariadb_native_refused_on_network "127.0.0.1:$MARIADB_PORT" $ada channel=network -- ping || true

text="query SELECT id, name, born, balance, note FROM people ORDER BY id"
record mysql_text "$MYSQL_SOCKET" channel=socket database=recorded -- "$text" "query SELECT nothing FROM nowhere" "query DO 1" "query SELECT 1 FROM people WHERE id = 0"
record mariadb_text "$MARIADB_SOCKET" channel=socket database=recorded cached -- "$text" "query SELECT nothing FROM nowhere" "query DO 1"
prepared="prepare SELECT id, name, born, balance, note FROM people WHERE id >= ? ORDER BY id"
record mysql_binary "$MYSQL_SOCKET" channel=socket database=recorded -- "$prepared" "execute last 1" "execute last 3" "close last" + "execute last 1" "prepare SELECT nonsense" \
  "prepare UPDATE people SET note = ? WHERE name = ?" "execute last null text:Ada" "prepare DO 1" "execute last"
record mariadb_cached "$MARIADB_SOCKET" channel=socket database=recorded cached extended -- "$prepared" "execute last 1" "execute last 3" "close last" "prepare SELECT ?" "execute last 5" "execute last text:five" "execute last text:sixx"
record mariadb_prepare_and_execute "$MARIADB_SOCKET" channel=socket database=recorded cached -- "$prepared" + "execute prepared 2" "prepare SELECT nonsense" + "execute prepared 2"

# The capability DEPRECATE_EOF (and MariaDB's cache with it) is taken out of the greeting.
without_eof_mysql="mask=ffffff0200ffdf15:ffffff0200ffde15"
without_eof_mariadb="mask=feff2d0200ff8115:feff2d0200ff8015"
record mysql_with_eof "$MYSQL_SOCKET" channel=socket database=recorded "$without_eof_mysql" -- "$text" "$prepared" "execute last 1" "prepare DO ?" "prepare DO 1" "prepare SELECT 1" "query CALL both_ways()"
record mariadb_with_eof "$MARIADB_SOCKET" channel=socket database=recorded cached "$without_eof_mariadb" -- "$text" "$prepared" "execute last 1" "execute last 2" "query CALL both_ways()"

record mysql_call "$MYSQL_SOCKET" channel=socket database=recorded -- "query CALL both_ways()" "prepare CALL both_ways()" "execute last"
record mariadb_call "$MARIADB_SOCKET" channel=socket database=recorded cached -- "query CALL both_ways()" "prepare CALL both_ways()" "execute last" "execute last"
mixed() { # NAME ADDRESS
  record "$1" "$2" channel=socket database=recorded cached -- "$prepared" "ping" + "query SELECT 1" + "query SELEC" + "execute last 2" + "execute 4711" + "close 4711" + "prepare SELECT ? + 1" + \
    "init_db nowhere" + "init_db recorded" + "close last" + "query BEGIN" + "query CREATE TABLE IF NOT EXISTS people (id INT)" + "reset" + "execute last 1" + "query SELECT 'end'"
}
mixed mysql_pipelined "$MYSQL_SOCKET"
mixed mariadb_pipelined "$MARIADB_SOCKET"
record mysql_local_infile "$MYSQL_SOCKET" channel=socket database=recorded -- "query LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE people" || true
record mariadb_local_infile "$MARIADB_SOCKET" channel=socket database=recorded -- "query LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE people" || true
# Every reply carries session state with this setting, the end of rows too: it is longer than an EOF packet then.
record mysql_long_end_of_rows "$MYSQL_SOCKET" channel=socket -- "query SET session_track_system_variables = '*', session_track_state_change = ON" "query SELECT 1" "prepare SELECT ?" "execute last 7" \
  "query SET NAMES latin1" "query SELECT 'x' WHERE 1 = 0"
record mariadb_long_end_of_rows "$MARIADB_SOCKET" channel=socket cached -- "query SET session_track_system_variables = '*', session_track_state_change = ON" "query SELECT @a := 1" "prepare SELECT ?" "execute last 7" \
  "query SET NAMES latin1"
