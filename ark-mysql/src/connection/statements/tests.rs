use super::*;

const CHECKED: Text = Text::Checked("SELECT 0");

#[test]
fn what_was_used_twice_is_worth_preparing_again() {
    let mut statements = Statements::new(8);
    for number in 0..6 {
        add(&mut statements, number);
    }
    for number in [4, 2, 5, 2] {
        statements.find(&key(number), None).unwrap();
    }
    let hot: Vec<_> = statements
        .clear_but(2)
        .into_iter()
        .map(|(key, _)| key)
        .collect();
    assert_eq!(hot, [key(2), key(5)]);
    assert_eq!((statements.len(), statements.next_evicted()), (0, None));
}

fn key(number: u128) -> StatementKey {
    StatementKey::new(number << 3, &[]) // neighbours, so that probing is put to work
}

fn add(statements: &mut Statements, number: u32) -> Slot {
    let slot = statements.insert(key(number.into()), CHECKED, |_| false);
    statements.entry(slot).unwrap().id = Some(StatementId::new(number));
    slot
}

#[test]
fn the_statement_used_longest_ago_goes_first() {
    let mut statements = Statements::new(4);
    for number in 0..4 {
        add(&mut statements, number);
    }
    assert!(statements.find(&key(0), None).is_some());
    add(&mut statements, 4);
    assert_eq!(statements.next_evicted(), Some(StatementId::new(1)));
    assert!(statements.find(&key(1), None).is_none());
    for number in [0, 2, 3, 4] {
        assert!(statements.find(&key(number), None).is_some(), "{number}");
    }
    assert_eq!(statements.len(), 4);
}

#[test]
fn a_statement_in_use_stays() {
    let mut statements = Statements::new(1);
    let used = add(&mut statements, 1);
    statements.insert(key(2), CHECKED, |slot| slot == used);
    assert_eq!(statements.next_evicted(), None);
    assert!(statements.find(&key(1), None).is_some());
}

#[test]
fn a_forgotten_slot_is_not_another_statements() {
    let mut statements = Statements::new(4);
    let old = add(&mut statements, 1);
    statements.forget(old);
    add(&mut statements, 2);
    assert!(statements.entry(old).is_none());
    assert_eq!(
        statements.next_evicted(),
        None,
        "the server does not have it"
    );
    statements.clear();
    assert!(statements.find(&key(2), None).is_none());
}

#[test]
fn texts_with_the_same_hash_are_told_apart() {
    let mut statements = Statements::new(4);
    let slot = statements.insert(key(1), Text::AtRunTime("SELECT 1".into()), |_| false);
    assert!(
        statements.find(&key(1), Some("SELECT 1")).is_none(),
        "not prepared yet"
    );
    statements.entry(slot).unwrap().id = Some(StatementId::new(1));
    assert!(statements.find(&key(1), Some("SELECT 1")).is_some());
    assert!(statements.find(&key(1), Some("SELECT 2")).is_none());
    assert!(statements.find(&key(1), None).is_none());
    statements.insert(key(1), Text::AtRunTime("SELECT 2".into()), |_| false);
    assert_eq!(statements.next_evicted(), Some(StatementId::new(1)));
    assert_eq!(statements.len(), 1);
}

#[test]
fn long_texts_take_the_room_of_others() {
    let long = |statements: &mut Statements, number: u32, kilobytes: usize| {
        let text = Text::AtRunTime("x".repeat(kilobytes << 10).into());
        let slot = statements.insert(key(number.into()), text, |_| false);
        statements.entry(slot).unwrap().id = Some(StatementId::new(number));
    };
    let mut statements = Statements::new(8); // 128 KiB
    (0..4).for_each(|number| long(&mut statements, number, 16));
    long(&mut statements, 4, 64);
    assert_eq!((statements.len(), statements.has_evicted()), (5, false));
    long(&mut statements, 5, 40);
    assert_eq!((statements.len(), statements.text_bytes()), (3, 120 << 10));
    let closed = [(); 3].map(|()| statements.next_evicted().unwrap().get());
    assert_eq!(closed, [2, 1, 0]);
    long(&mut statements, 6, 1024);
    assert_eq!(
        statements.len(),
        1,
        "it works even if it is too long for the cache"
    );
    for number in 7..20 {
        add(&mut statements, number);
    }
    assert_eq!((statements.len(), statements.text_bytes()), (8, 0));
}
