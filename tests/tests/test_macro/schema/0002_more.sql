CREATE VIEW b_view AS SELECT id, org, shout FROM users;
CREATE VIEW a_view AS SELECT b.id, b.shout, o.name AS org FROM b_view b JOIN orgs o ON o.id = b.org;
CREATE FUNCTION first_org() RETURNS INT DETERMINISTIC NO SQL RETURN 1;
CREATE PROCEDURE add_user(IN called VARCHAR(50)) BEGIN INSERT INTO users (org, name) VALUES (first_org(), called); END;
CREATE TRIGGER trimmed BEFORE INSERT ON users FOR EACH ROW BEGIN SET NEW.name = TRIM(NEW.name); END;
