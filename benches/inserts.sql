-- For single inserts and for inserts of many rows.
CREATE TABLE IF NOT EXISTS inserts (
  id INT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  number INT NOT NULL
);
