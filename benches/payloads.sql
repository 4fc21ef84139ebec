-- One blob of each size, for the workload of arknet.
CREATE TABLE IF NOT EXISTS payloads (
  size INT NOT NULL PRIMARY KEY,
  body MEDIUMBLOB NOT NULL
);
