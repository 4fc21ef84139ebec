use super::*;

fn parse(text: &str) -> Url {
    text.parse().unwrap()
}
