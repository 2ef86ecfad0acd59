CREATE TABLE stock (product text, warehouse text, pieces integer, PRIMARY KEY (product, warehouse));
CREATE TABLE basket (customer text, product text, pieces integer, PRIMARY KEY (customer, product));
CREATE TABLE order_line (order_id integer, product text, PRIMARY KEY (order_id, product));
CREATE INDEX ON order_line (product);

-- Counted anew for each page: it is what the shop waits for longest in its own database.
CREATE VIEW bought_together AS
  SELECT a.product, b.product AS other, count(*) AS times
  FROM order_line a JOIN order_line b ON a.order_id = b.order_id AND a.product <> b.product
  GROUP BY a.product, b.product;

INSERT INTO stock VALUES
  ('lamp', 'Bremen', 4), ('lamp', 'Turin', 0), ('chair', 'Turin', 12), ('desk', 'Bremen', 0);
INSERT INTO basket VALUES ('ada', 'lamp', 2), ('ada', 'chair', 1);

-- Every second of 30,000 orders has a chair in it, every third a desk, and so on.
INSERT INTO order_line
  SELECT number, product
  FROM generate_series(1, 30000) AS number,
    (VALUES ('chair', 2), ('desk', 3), ('lamp', 5), ('rug', 7), ('shelf', 11)) AS every (product, so_many)
  WHERE number % so_many = 0;
ANALYZE;
