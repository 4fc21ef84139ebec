SELECT COUNT(*) AS users FROM users WHERE id >= :first
