struct Process {
    id: u64,
}

fn main() {
    ark_mysql::query_as!(Process, "SHOW PROCESSLIST");
}
