use std::sync::OnceLock;

use ark_mysql::dev_server::{DevServer, Flavor};

/// Both families, to loop over.
pub const FLAVORS: [Flavor; 2] = [Flavor::MySql, Flavor::MariaDb];

/// The server of this process, started by the first test that wants it. It ends when the process does.
///
/// # Panics
///
/// Where it cannot be had or does not start: then no test can say anything.
pub fn server(flavor: Flavor) -> &'static DevServer {
    static SERVERS: [OnceLock<DevServer>; 2] = [OnceLock::new(), OnceLock::new()];
    let [mysql, mariadb] = &SERVERS;
    let place = match flavor {
        Flavor::MySql => mysql,
        Flavor::MariaDb => mariadb,
    };
    place.get_or_init(|| start(flavor))
}

fn start(flavor: Flavor) -> DevServer {
    match DevServer::builder().flavor(flavor).start() {
        Ok(server) => server,
        Err(error) => panic!("{error}"),
    }
}
