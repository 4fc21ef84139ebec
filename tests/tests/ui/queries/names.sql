SELECT id, name FROM users WHERE id > ? ORDER BY id
