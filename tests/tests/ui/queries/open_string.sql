-- Everybody who is called Ann.
SELECT name
FROM users
WHERE name = 'Ann
