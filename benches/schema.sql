-- The tables of the benchmarks. Load it into a fresh database before `cargo ark-mysql prepare`.
CREATE TABLE test1 (
  f1 INT NOT NULL PRIMARY KEY,
  f2 INT NOT NULL,
  f3 INT NOT NULL,
  f4 INT NOT NULL,
  f5 INT NOT NULL,
  f6 INT NOT NULL,
  f7 INT NOT NULL,
  f8 INT NOT NULL,
  f9 INT NOT NULL,
  f10 INT NOT NULL,
  f11 FLOAT NOT NULL,
  f12 DOUBLE NOT NULL,
  f13 VARCHAR(64) NOT NULL,
  f14 DATETIME NOT NULL
);
CREATE TABLE IF NOT EXISTS kib (
  id INT NOT NULL PRIMARY KEY,
  body BLOB NOT NULL
);
