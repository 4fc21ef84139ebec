# Runs a server for as long as somebody holds the other end of standard input, then removes its folder.
#   sh -c "$(cat watch.sh)" watch FOLDER KEPT SERVER ARGUMENT…      KEPT: 1 if the data outlives the server, else 0
# The first line of input starts the server; a second one asks for an orderly stop. The end of input means that the holder is done
# with it or was killed (the kernel closes the pipe): the server is killed, unless its data is kept.
# The server is a child of this shell, so its process id cannot be anybody else's until `wait` has returned.
folder=$1 orderly=$2
shift 2
exec 3<&0 </dev/null
read -r _ <&3 || {
  rm -rf "$folder"
  exit
}
"$@" >>"$folder/server.log" 2>&1 3<&- &
server=$!
(
  if read -r _ <&3; then orderly=1; fi
  if [ "$orderly" = 1 ]; then
    kill -TERM "$server"
    tries=0
    while [ "$tries" -lt 100 ] && [ ! -e "$folder/exit" ]; do # five seconds
      sleep 0.05
      tries=$((tries + 1))
    done
  fi
  [ -e "$folder/exit" ] || kill -KILL "$server"
) >/dev/null 2>&1 &
guard=$!
exec 3<&-
wait "$server"
echo $? >"$folder/exit"
wait "$guard"
rm -rf "$folder"
