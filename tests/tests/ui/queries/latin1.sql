SELECT name FROM users WHERE name = 'Müller'
