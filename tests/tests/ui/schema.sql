-- What the statements of these cases are checked with; the cache beside was made from it by `ARK_MYSQL_UI=prepare cargo test -p tests --test ui`.

CREATE TABLE users (
    id INT UNSIGNED NOT NULL PRIMARY KEY AUTO_INCREMENT,
    name VARCHAR(50) NOT NULL,
    email VARCHAR(100) NULL,
    age SMALLINT NULL,
    born DATE NOT NULL,
    photo BLOB NOT NULL,
    settings JSON NOT NULL
);

CREATE TABLE orders (
    id BIGINT UNSIGNED NOT NULL PRIMARY KEY AUTO_INCREMENT,
    user_id INT UNSIGNED NOT NULL,
    total DECIMAL(10, 2) NOT NULL,
    paid BOOL NOT NULL,
    delta INT NOT NULL,
    placed DATETIME NOT NULL,
    changed TIMESTAMP NOT NULL,
    took TIME NOT NULL,
    weight FLOAT NOT NULL,
    state ENUM('open', 'sent') NOT NULL
);

CREATE TABLE parts (
    name VARCHAR(20) NOT NULL,
    price INT NOT NULL,
    gross INT AS (price * 2)
);

CREATE TABLE visits (
    user_id INT UNSIGNED NOT NULL,
    count INT NOT NULL
);

CREATE VIEW named AS SELECT id AS number, name AS word FROM users;
