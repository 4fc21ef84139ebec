-- In a file: query_file! and its sisters.
SELECT id, name, age
FROM users
WHERE age > ? -- not a parameter: ?
ORDER BY id
