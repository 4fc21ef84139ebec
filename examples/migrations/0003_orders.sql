CREATE TABLE orders (
  id           BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  customer_id  BIGINT UNSIGNED NOT NULL,
  status       ENUM('open', 'paid', 'shipped', 'cancelled') NOT NULL DEFAULT 'open',
  total        DECIMAL(12, 2)  NOT NULL DEFAULT 0.00,
  placed_at    DATETIME(6)     NOT NULL,
  shipped_at   DATETIME        NULL,
  packing_time TIME            NULL,                      -- how long it took to pack
  stars        TINYINT         NULL,                      -- -1: the customer complained
  note         TEXT            NULL,
  updated_at   TIMESTAMP       NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  INDEX (customer_id, placed_at),
  FOREIGN KEY (customer_id) REFERENCES customers (id)
);

CREATE TABLE order_lines (
  order_id   BIGINT UNSIGNED   NOT NULL,
  line       SMALLINT UNSIGNED NOT NULL,
  product_id INT UNSIGNED      NOT NULL,
  quantity   INT               NOT NULL,                  -- negative: sent back
  price      DECIMAL(10, 2)    NOT NULL,                  -- of one, when it was ordered
  discount   DOUBLE            NULL,                      -- 0.1 = ten percent
  gift_wrap  BOOL              NOT NULL DEFAULT FALSE,
  PRIMARY KEY (order_id, line),
  FOREIGN KEY (order_id) REFERENCES orders (id) ON DELETE CASCADE,
  FOREIGN KEY (product_id) REFERENCES products (id)
);
