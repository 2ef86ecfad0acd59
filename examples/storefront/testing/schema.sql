CREATE TABLE stock (product text, warehouse text, pieces integer, PRIMARY KEY (product, warehouse));
CREATE TABLE bought_together (product text, other text, times integer, PRIMARY KEY (product, other));
CREATE TABLE basket (customer text, product text, pieces integer, PRIMARY KEY (customer, product));

INSERT INTO stock VALUES
  ('lamp', 'Bremen', 4), ('lamp', 'Turin', 0), ('chair', 'Turin', 12), ('desk', 'Bremen', 0);
INSERT INTO bought_together VALUES
  ('lamp', 'desk', 12), ('lamp', 'chair', 40), ('lamp', 'rug', 3), ('lamp', 'shelf', 2),
  ('desk', 'chair', 9);
INSERT INTO basket VALUES ('ada', 'lamp', 2), ('ada', 'chair', 1);
