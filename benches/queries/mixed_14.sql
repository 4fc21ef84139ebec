SELECT f1 AS c1, f2 AS c2, f3 AS c3, f4 AS c4, f5 AS c5, f6 AS c6, f7 AS c7,
       f8 AS c8, f9 AS c9, f10 AS c10, f11 AS c11, f12 AS c12, f13 AS c13, f14 AS c14
FROM test1 WHERE f1 = ?
