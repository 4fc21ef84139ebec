-- Who buys. NULL means "did not say".
CREATE TABLE customers (
  id          BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name        VARCHAR(100)    NOT NULL,
  email       VARCHAR(190)    NULL UNIQUE,
  country     CHAR(2)         NOT NULL,
  birthday    DATE            NULL,
  newsletter  BOOL            NOT NULL DEFAULT FALSE,
  credit      DECIMAL(10, 2)  NOT NULL DEFAULT 0.00,
  loyalty     SMALLINT        NULL,                       -- points; a penalty is negative
  preferences JSON            NULL,
  device      VARBINARY(32)   NULL,
  created_at  TIMESTAMP       NOT NULL DEFAULT CURRENT_TIMESTAMP
);
