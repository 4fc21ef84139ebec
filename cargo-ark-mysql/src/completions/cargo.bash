complete -F _cargo_ark_mysql -o bashdefault -o default cargo-ark-mysql

# `cargo ark-mysql …`; all else is cargo's, whose own script (rustup completions bash cargo) has to be read before this one.
_cargo_or_ark_mysql() {
    if [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} == ark-mysql ]]; then
        COMP_WORDS=(cargo-ark-mysql "${COMP_WORDS[@]:2}")
        COMP_CWORD=$((COMP_CWORD - 1))
        _cargo_ark_mysql cargo-ark-mysql "$2" "$3"
    elif declare -F _cargo >/dev/null; then
        _cargo "$@"
    fi
}
complete -F _cargo_or_ark_mysql -o bashdefault -o default cargo
