
# `cargo ark-mysql …`
complete -c cargo -n "__fish_seen_subcommand_from ark-mysql" -f -a '(complete -C "cargo-ark-mysql "(commandline -cp | string replace -r "^.*?ark-mysql +" ""))'
