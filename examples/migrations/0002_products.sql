-- What is sold.
CREATE TABLE products (
  id          INT UNSIGNED     NOT NULL AUTO_INCREMENT PRIMARY KEY,
  sku         CHAR(8)          NOT NULL UNIQUE,
  title       VARCHAR(200)     NOT NULL,
  description TEXT             NULL,
  category    ENUM('book', 'game', 'music', 'tool') NOT NULL,
  labels      SET('new', 'sale', 'gift') NOT NULL DEFAULT '',
  price       DECIMAL(10, 2)   NOT NULL,
  vat         TINYINT UNSIGNED NOT NULL DEFAULT 20,       -- percent
  stock       INT              NOT NULL DEFAULT 0,        -- negative: sold before it arrived
  shelf       MEDIUMINT        NULL,
  weight      FLOAT            NULL,                      -- kg
  rating      DOUBLE           NULL,                      -- mean of 1 to 5
  released    YEAR             NULL,
  picture     BLOB             NULL,
  attributes  JSON             NOT NULL
);
