-- The schema of the integration tests: what the offline cache in .ark-mysql/ was made from, and what each test's database holds.
-- After a change: cargo ark-mysql prepare --dev --migrations tests --package tests --package tests-edition-2021 --package tests-overrides

CREATE TABLE users (
    id INT UNSIGNED NOT NULL PRIMARY KEY AUTO_INCREMENT,
    name VARCHAR(50) NOT NULL,
    age INT NULL
);

INSERT INTO users (id, name, age) VALUES (1, 'Ann', 30), (2, 'Bob', NULL), (3, 'Cyd', 50);

CREATE TABLE orders (
    id BIGINT UNSIGNED NOT NULL PRIMARY KEY AUTO_INCREMENT,
    user_id INT UNSIGNED NULL,
    amount INT NOT NULL,
    at DATE NOT NULL
);

INSERT INTO orders (id, user_id, amount, at) VALUES (1, 1, 5, '2024-02-29'), (2, 1, 7, '2024-03-01'), (3, NULL, 9, '1999-12-31');

CREATE TABLE numbers (
    n INT UNSIGNED NOT NULL PRIMARY KEY,
    pad VARCHAR(200) NOT NULL
);

CREATE TABLE blobs (
    id INT NOT NULL PRIMARY KEY,
    data LONGBLOB NOT NULL
);

CREATE TABLE texts (
    id INT NOT NULL PRIMARY KEY,
    body LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    old VARCHAR(20) CHARACTER SET latin1 NOT NULL,
    raw VARBINARY(20) NOT NULL
);

-- One column of each type, all of them nullable.
CREATE TABLE every_type (
    id INT NOT NULL PRIMARY KEY,
    tiny TINYINT,
    utiny TINYINT UNSIGNED,
    boolean BOOL,
    small SMALLINT,
    usmall SMALLINT UNSIGNED,
    medium MEDIUMINT,
    umedium MEDIUMINT UNSIGNED,
    whole INT,
    uwhole INT UNSIGNED,
    big BIGINT,
    ubig BIGINT UNSIGNED,
    single FLOAT,
    twice DOUBLE,
    exact DECIMAL(20, 5),
    longest DECIMAL(65, 30),
    day DATE,
    span TIME,
    fine_span TIME(6),
    moment DATETIME,
    fine_moment DATETIME(6),
    instant TIMESTAMP NULL,
    fine_instant TIMESTAMP(6) NULL,
    yr YEAR,
    fixed CHAR(10),
    line VARCHAR(100),
    page TEXT,
    fixed_bytes BINARY(4),
    line_bytes VARBINARY(100),
    page_bytes BLOB,
    label ENUM('a', 'bb', 'q''r'),
    labels SET('x', 'yy', 'zzz'),
    doc JSON,
    flag BIT(1),
    nine BIT(9),
    sixty_four BIT(64)
);

-- Old dates, which only types of our own can hold.
CREATE TABLE old_dates (
    id INT NOT NULL PRIMARY KEY,
    d DATE NOT NULL,
    dt DATETIME NOT NULL
);

-- For expressions whose type is not the same when they are prepared and when they run.
CREATE TABLE a (
    id INT NOT NULL PRIMARY KEY,
    k INT NOT NULL,
    s VARCHAR(9) NOT NULL,
    n INT NULL,
    d DATE NOT NULL
);

INSERT INTO a (id, k, s, n, d) VALUES (1, 1, 'x', NULL, '2024-05-06'), (2, 2, 'y', 7, '1999-01-02');

CREATE TABLE b (
    id INT NOT NULL PRIMARY KEY,
    a_id INT NULL,
    v INT NOT NULL
);

INSERT INTO b (id, a_id, v) VALUES (1, 1, 10);

-- What types of the user are read from and sent to.
CREATE TABLE tickets (
    id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    owner BIGINT UNSIGNED NULL,
    state ENUM('open', 'in_review', 'done') NOT NULL,
    word VARCHAR(20) NOT NULL,
    short_word CHAR(20) NOT NULL,
    long_word TEXT NOT NULL,
    rights SET('read', 'write', 'can-admin') NOT NULL,
    priority TINYINT UNSIGNED NOT NULL
);

CREATE VIEW a_view AS SELECT id, 1 AS one FROM b;

-- Columns of tables under other names, and sums beside them.
CREATE VIEW named AS SELECT id AS number, name AS word FROM users;
CREATE VIEW totals AS SELECT user_id AS number, SUM(amount) AS total FROM orders GROUP BY user_id;

-- For ALTER between two executions.
CREATE TABLE altered (
    id INT NOT NULL PRIMARY KEY,
    whole INT NOT NULL,
    big BIGINT NOT NULL,
    twice DOUBLE NOT NULL,
    word VARCHAR(10) NOT NULL,
    maybe INT NULL
);

INSERT INTO altered VALUES (1, 5, 6, 7, 'abc', 8);
