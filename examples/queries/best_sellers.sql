-- What sells best: pieces and turnover of orders that were not cancelled, since a moment.
SELECT
  p.title,
  p.category,
  SUM(l.quantity)           AS pieces,
  SUM(l.quantity * l.price) AS turnover
FROM order_lines l
JOIN orders o ON o.id = l.order_id
JOIN products p ON p.id = l.product_id
WHERE o.status <> 'cancelled' AND o.placed_at >= :since
GROUP BY p.id, p.title, p.category
ORDER BY pieces DESC, p.title
LIMIT 5
