use std::collections::HashMap;
use std::fs;

use super::*;
use crate::settings::scratch::Scratch;

/// A workspace with one crate in it, and an environment.
struct House {
    folder: Scratch,
    environment: HashMap<&'static str, &'static str>,
}

impl House {
    fn new(name: &str) -> Self {
        let folder = Scratch::new(name);
        folder.write("Cargo.toml", "[workspace]\nmembers = [\"app\"]\n");
        folder.write("app/Cargo.toml", "[package]\nname = \"app\"\n");
        Self {
            folder,
            environment: HashMap::new(),
        }
    }

    fn file(self, path: &str, text: &str) -> Self {
        self.folder.write(path, text);
        self
    }

    fn variable(mut self, name: &'static str, value: &'static str) -> Self {
        self.environment.insert(name, value);
        self
    }

    fn load(&self) -> Result<Settings, SettingsError> {
        Settings::load(&self.folder.path().join("app"), &|name| {
            self.environment.get(name).map(OsString::from)
        })
    }

    fn endpoint(&self) -> String {
        match self.load().unwrap().source {
            Source::Server(url) => url.url().endpoint.to_string(),
            other => format!("{other:?}"),
        }
    }
}

#[test]
fn the_environment_wins_over_the_crate_over_the_workspace() {
    let house = House::new("order").file(".env", "DATABASE_URL=mysql://u@127.0.0.1:1/d\n");
    assert_eq!(house.endpoint(), "127.0.0.1:1");
    let house = house.file("app/.env", "OTHER=1\n");
    assert_eq!(house.endpoint(), "127.0.0.1:1");
    let house = house.file(
        "app/.env",
        "export DATABASE_URL='mysql://u@127.0.0.1:2/d'\n",
    );
    assert_eq!(house.endpoint(), "127.0.0.1:2");
    let house = house.variable(DATABASE_URL, "mysql://u@127.0.0.1:3/d");
    assert_eq!(house.endpoint(), "127.0.0.1:3");
}

#[test]
fn nothing_set_means_the_cache() {
    assert_eq!(House::new("none").endpoint(), "NoUrl");
    assert_eq!(
        House::new("empty")
            .file(".env", "DATABASE_URL=mysql://u@h/d")
            .variable(DATABASE_URL, "")
            .endpoint(),
        "NoUrl"
    );
}

#[test]
fn offline_needs_no_url_and_does_not_read_it() {
    let house = House::new("offline")
        .variable(DATABASE_URL, "nonsense")
        .variable(OFFLINE, "1");
    assert_eq!(house.endpoint(), "Offline");
    let house = House::new("offline-off")
        .variable(OFFLINE, "0")
        .variable(DATABASE_URL, "mysql://u@127.0.0.1:4/d");
    assert_eq!(house.endpoint(), "127.0.0.1:4");
    let error = House::new("offline-bad")
        .variable(OFFLINE, "maybe")
        .load()
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "ARK_MYSQL_OFFLINE (from the environment) is neither on nor off: write 1 to build from the cache, 0 to ask the server"
    );
}

#[test]
fn errors_name_file_and_line_and_keep_the_secret() {
    let house = House::new("secret").file(
        "app/.env",
        "A=1\nDATABASE_URL=mysql://root:hunter2@127.0.0.1:x/d\n",
    );
    let error = house.load().unwrap_err();
    let text = format!("{error} {error:?}");
    assert!(error.to_string().contains("app/.env:2"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
    let good = House::new("secret-good")
        .variable(DATABASE_URL, "mysql://root:hunter2@127.0.0.1/d")
        .load()
        .unwrap();
    assert!(!format!("{good:?}").contains("hunter2"));
}

#[test]
fn the_settings_file_is_found_beside_the_manifest_or_at_the_root() {
    let house = House::new("toml").file("ark-mysql.toml", "when-unreachable = \"cache\"\n");
    let settings = house.load().unwrap();
    assert_eq!(settings.when_unreachable, WhenUnreachable::Cache);
    assert_eq!(
        settings.config_file,
        Some(house.folder.path().join("ark-mysql.toml"))
    );
    let house = house.file("app/ark-mysql.toml", "");
    assert_eq!(
        house.load().unwrap().when_unreachable,
        WhenUnreachable::Error
    );
    let error = house
        .file("app/ark-mysql.toml", "when-unreachble = \"cache\"")
        .load()
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("app/ark-mysql.toml:1:1: unknown setting"),
        "{error}"
    );
}

#[test]
fn a_file_that_is_no_text_is_an_error() {
    let house = House::new("binary");
    fs::write(house.folder.path().join(".env"), [0xff, 0xfe, 0]).unwrap();
    assert!(
        house
            .load()
            .unwrap_err()
            .to_string()
            .contains("cannot read")
    );
}
