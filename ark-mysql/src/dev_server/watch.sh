# Runs a server for as long as somebody holds the other end of standard input, then removes its folder.
#   sh -c "$(cat watch.sh)" watch FOLDER KEPT SERVER ARGUMENT…      KEPT: 1 if the data outlives the server, else 0
# The first line of input starts the server. A second one says `stop`, for an orderly one; `stay`: the server ends when somebody tells it
# to; or `linger`: it lives for half an hour after the end of input. The end of input means that the holder is done
# with it or was killed (the kernel closes the pipe): the server is killed, unless its data is kept.
# The server is a child of this shell, so its process id cannot be anybody else's until `wait` has returned.
trap '' HUP # a terminal that closes
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
  said=
  read -r said <&3
  case $said in
  stop) orderly=1 ;;
  stay) exit ;;
  linger)
    cat <&3
    tries=0
    while [ "$tries" -lt 1800 ] && [ ! -e "$folder/exit" ]; do
      sleep 1
      tries=$((tries + 1))
    done
    ;;
  esac
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
