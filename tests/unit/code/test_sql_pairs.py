# ruff: noqa: E501 - queries on one line
"""Pairs of queries: rewritten ones that mean the same, near misses that don't, orders with ties."""

from dataclasses import dataclass

import pytest

from verifleet.sandbox import LocalSandbox
from verifleet.verification import VerificationResult, parse_request
from verifleet.verifiers.code import CodeVerifier

CONCERT = """
CREATE TABLE stadium (Stadium_ID INTEGER PRIMARY KEY, Location TEXT, Name TEXT, Capacity INTEGER, Average INTEGER);
CREATE TABLE singer (Singer_ID INTEGER PRIMARY KEY, Name TEXT, Country TEXT, Age INTEGER, Is_male TEXT);
CREATE TABLE concert (concert_ID INTEGER PRIMARY KEY, concert_Name TEXT, Theme TEXT, Stadium_ID INTEGER, Year TEXT, FOREIGN KEY (Stadium_ID) REFERENCES stadium(Stadium_ID));
CREATE TABLE singer_in_concert (concert_ID INTEGER, Singer_ID INTEGER, PRIMARY KEY (concert_ID, Singer_ID), FOREIGN KEY (concert_ID) REFERENCES concert(concert_ID), FOREIGN KEY (Singer_ID) REFERENCES singer(Singer_ID));
INSERT INTO stadium VALUES (1,'Raith','Stark Park',10104,1477),(2,'Ayr','Somerset',11998,1294),(3,'East','Bayview',2000,864),(4,'Queens','Hampden',52500,730),(5,'Forth','Forthbank',3808,642),(6,'North','Balmoral',4000,638);
INSERT INTO singer VALUES (1,'Joe','Netherlands',52,'F'),(2,'Tim','United States',32,'T'),(3,'Justin','France',29,'T'),(4,'Rose','France',41,'F'),(5,'John','France',43,'T'),(6,'Tribal','France',25,'T'),(7,'Ann','United States',32,'F');
INSERT INTO concert VALUES (1,'Auditions','Free',1,'2014'),(2,'Super','Free 2',2,'2014'),(3,'Home','Bleeding',2,'2015'),(4,'Week','Wide',4,'2014'),(5,'Week 2','Party',4,'2015'),(6,'Gala','Party',4,'2015');
INSERT INTO singer_in_concert VALUES (1,2),(1,3),(1,5),(2,3),(2,6),(3,5),(4,4),(5,6),(5,3),(6,2);
"""
EMP = """
CREATE TABLE dept (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE emp (id INTEGER PRIMARY KEY, name TEXT, dept_id INTEGER REFERENCES dept(id), salary REAL, hired TEXT, manager_id INTEGER REFERENCES emp(id));
INSERT INTO dept VALUES (1,'Sales','Oslo'),(2,'IT','Bergen'),(3,'HR','Oslo'),(4,'Legal',NULL);
INSERT INTO emp VALUES (1,'Ann',1,5000,'2019-03-01',NULL),(2,'Bob',1,4000,'2020-05-12',1),(3,'Cid',2,6000,'2018-01-20',1),(4,'Dan',2,5500,'2021-07-01',3),(5,'Eve',3,4000,'2020-11-30',1),(6,'Fay',NULL,3500,'2022-02-14',3),(7,'Gus',2,6000,'2019-09-09',3),(8,'Hal',1,4500,'2021-01-05',2);
"""
SHOP = """
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT, country TEXT, signup DATE);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, title TEXT, category TEXT, price DECIMAL(8,2));
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER, ordered DATE, status TEXT);
CREATE TABLE items (order_id INTEGER, product_id INTEGER, qty INTEGER, PRIMARY KEY(order_id, product_id));
INSERT INTO customers VALUES (1,'Ada','UK','2020-01-05'),(2,'Ben','US','2020-02-11'),(3,'Cal','US','2021-03-20'),(4,'Dee','DE','2021-07-07'),(5,'Eli','UK','2022-01-01'),(6,'ada','FR','2022-05-05');
INSERT INTO products VALUES (1,'Pen','Office',1.5),(2,'Desk','Furniture',150),(3,'Lamp','Furniture',35.5),(4,'Book','Media',12),(5,'Chair','Furniture',85),(6,'Disc','Media',12);
INSERT INTO orders VALUES (1,1,'2022-01-10','paid'),(2,1,'2022-02-14','open'),(3,2,'2022-02-20','paid'),(4,3,'2022-03-01','cancelled'),(5,4,'2022-03-15','paid'),(6,2,'2022-04-01','paid'),(7,1,'2022-04-02','paid');
INSERT INTO items VALUES (1,1,10),(1,4,1),(2,2,1),(3,3,2),(3,1,5),(4,5,1),(5,4,2),(6,6,1),(6,2,1),(7,1,3);
"""
TIE = """CREATE TABLE t (id INTEGER PRIMARY KEY, grp TEXT, v INTEGER);
INSERT INTO t VALUES (1,'a',3),(2,'a',1),(3,'b',3),(4,'b',2),(5,'c',1),(6,'c',3),(7,'d',NULL);"""


@dataclass
class Pair:
    schema: str
    gold: str
    same: list[str]
    different: list[str]
    ordered: bool


PAIRS: list[Pair] = []


def q(schema: str, gold: str, same: list[str], different: list[str], ordered: bool = False) -> None:
    PAIRS.append(Pair(schema, gold, [gold, *same], different, ordered))


q(
    CONCERT,
    "SELECT count(*) FROM singer",
    [
        "SELECT COUNT(1) FROM singer",
        "SELECT COUNT(Singer_ID) FROM singer",
        "select sum(1) from singer",
        "SELECT COUNT(*) AS total FROM singer AS s",
    ],
    [
        "SELECT count(*) FROM concert",
        "SELECT 7",
        "SELECT count(DISTINCT Country) FROM singer",
        "SELECT max(Singer_ID) FROM singer",
        "SELECT count(*) FROM singer WHERE Age > 25",
    ],
)
q(
    CONCERT,
    "SELECT name, country, age FROM singer ORDER BY age DESC",
    [
        "SELECT Name, Country, Age FROM singer ORDER BY Age DESC",
        "SELECT s.name, s.country, s.age FROM singer s ORDER BY s.age DESC, s.name",
        "SELECT name, country, age FROM singer ORDER BY 3 DESC",
        "SELECT name, country, age FROM singer ORDER BY -age",
        "SELECT name, country, age FROM singer ORDER BY age DESC, name DESC",
        "SELECT name, country, age FROM singer ORDER BY age DESC, Singer_ID DESC",
    ],
    [
        "SELECT name, country, age FROM singer ORDER BY age",
        "SELECT name, country, age FROM singer",
        "SELECT country, name, age FROM singer ORDER BY age DESC",
        "SELECT name, country, age FROM singer ORDER BY age DESC LIMIT 5",
        "SELECT name, country, age FROM singer ORDER BY name",
    ],
    True,
)
q(
    CONCERT,
    "SELECT avg(age), min(age), max(age) FROM singer WHERE country = 'France'",
    [
        "SELECT AVG(Age), MIN(Age), MAX(Age) FROM singer WHERE Country LIKE 'France'",
        "SELECT sum(age)*1.0/count(*), min(age), max(age) FROM singer WHERE country IN ('France')",
    ],
    [
        "SELECT avg(age), max(age), min(age) FROM singer WHERE country = 'France'",
        "SELECT avg(age), min(age), max(age) FROM singer",
        "SELECT sum(age)/count(*), min(age), max(age) FROM singer WHERE country='France'",
        "SELECT 34.5, 25, 43",
    ],
)
q(
    CONCERT,
    "SELECT DISTINCT country FROM singer WHERE age > 30",
    [
        "SELECT country FROM singer WHERE age > 30 GROUP BY country",
        "SELECT country FROM singer WHERE age >= 31 GROUP BY 1",
        "SELECT country FROM singer WHERE age > 30 UNION SELECT country FROM singer WHERE age > 30",
        "SELECT DISTINCT s.country FROM singer s WHERE NOT s.age <= 30",
    ],
    [
        "SELECT country FROM singer WHERE age > 30",
        "SELECT DISTINCT country FROM singer WHERE age > 32",
        "SELECT DISTINCT country FROM singer",
        "SELECT DISTINCT country FROM singer WHERE age >= 30 AND country <> 'France'",
    ],
)
q(
    CONCERT,
    "SELECT DISTINCT country FROM singer WHERE age > 29",
    [],
    ["SELECT DISTINCT country FROM singer WHERE age >= 29 AND Name <> 'Joe'"],
)
q(
    CONCERT,
    "SELECT country, count(*) FROM singer GROUP BY country",
    [
        "SELECT country, COUNT(Singer_ID) FROM singer GROUP BY 1",
        "SELECT DISTINCT country, (SELECT count(*) FROM singer t WHERE t.country = s.country) FROM singer s",
        "SELECT country, count(*) over_all FROM singer GROUP BY country ORDER BY 2",
    ],
    [
        "SELECT country, count(*) FROM singer",
        "SELECT count(*), country FROM singer GROUP BY country",
        "SELECT country, count(DISTINCT age) FROM singer GROUP BY country",
        "SELECT country, count(*) FROM singer GROUP BY country HAVING count(*) > 1",
    ],
)
q(
    CONCERT,
    "SELECT T2.name, count(*) FROM concert AS T1 JOIN stadium AS T2 ON T1.stadium_id = T2.stadium_id GROUP BY T1.stadium_id",
    [
        "SELECT s.Name, COUNT(c.concert_ID) FROM stadium s INNER JOIN concert c USING (Stadium_ID) GROUP BY s.Stadium_ID",
        "SELECT name, n FROM stadium JOIN (SELECT stadium_id, count(*) n FROM concert GROUP BY stadium_id) x ON x.stadium_id = stadium.stadium_id",
        "SELECT name, (SELECT count(*) FROM concert c WHERE c.stadium_id = s.stadium_id) FROM stadium s WHERE stadium_id IN (SELECT stadium_id FROM concert)",
    ],
    [
        "SELECT s.Name, COUNT(c.concert_ID) FROM stadium s LEFT JOIN concert c USING (Stadium_ID) GROUP BY s.Stadium_ID",
        "SELECT T2.name, count(DISTINCT T1.Year) FROM concert AS T1 JOIN stadium AS T2 ON T1.stadium_id = T2.stadium_id GROUP BY T1.stadium_id",
        "SELECT T2.name, count(*) FROM concert AS T1 JOIN stadium AS T2 ON T1.stadium_id = T2.stadium_id",
    ],
)
q(
    CONCERT,
    "SELECT name FROM stadium WHERE stadium_id NOT IN (SELECT stadium_id FROM concert)",
    [
        "SELECT s.name FROM stadium s LEFT JOIN concert c ON s.stadium_id=c.stadium_id WHERE c.concert_id IS NULL",
        "SELECT name FROM stadium s WHERE NOT EXISTS (SELECT 1 FROM concert c WHERE c.stadium_id = s.stadium_id)",
        "SELECT name FROM stadium EXCEPT SELECT name FROM stadium JOIN concert USING(stadium_id)",
    ],
    [
        "SELECT name FROM stadium WHERE stadium_id IN (SELECT stadium_id FROM concert)",
        "SELECT name FROM stadium WHERE stadium_id NOT IN (SELECT stadium_id FROM concert WHERE year='2014')",
        "SELECT name FROM stadium WHERE capacity < 5000",
    ],
)
q(
    CONCERT,
    "SELECT name, capacity FROM stadium ORDER BY average DESC LIMIT 1",
    [
        "SELECT name, capacity FROM stadium WHERE average = (SELECT max(average) FROM stadium)",
        "SELECT name, capacity FROM (SELECT *, row_number() OVER (ORDER BY average DESC) r FROM stadium) WHERE r = 1",
        "SELECT Name, Capacity FROM stadium ORDER BY Average DESC LIMIT 1 OFFSET 0",
    ],
    [
        "SELECT name, capacity FROM stadium ORDER BY capacity DESC LIMIT 1",
        "SELECT name, capacity FROM stadium ORDER BY average LIMIT 1",
        "SELECT 'Stark Park', 10104",
        "SELECT name, max(capacity) FROM stadium",
    ],
    True,
)
q(
    CONCERT,
    "SELECT year FROM concert GROUP BY year ORDER BY count(*) DESC LIMIT 1",
    [],
    ["SELECT year FROM concert GROUP BY year ORDER BY count(*) LIMIT 1", "SELECT '2014'"],
    True,
)
q(
    CONCERT,
    "SELECT name FROM singer WHERE singer_id IN (SELECT singer_id FROM singer_in_concert JOIN concert USING (concert_id) WHERE year = '2014')",
    [
        "SELECT DISTINCT s.name FROM singer s JOIN singer_in_concert x ON x.singer_id=s.singer_id JOIN concert c ON c.concert_id=x.concert_id WHERE c.year='2014'",
        "SELECT name FROM singer s WHERE EXISTS (SELECT * FROM singer_in_concert x, concert c WHERE x.concert_id=c.concert_id AND c.year = 2014 AND x.singer_id = s.singer_id)",
    ],
    [
        "SELECT s.name FROM singer s JOIN singer_in_concert x ON x.singer_id=s.singer_id JOIN concert c ON c.concert_id=x.concert_id WHERE c.year='2014'",
        "SELECT name FROM singer WHERE singer_id IN (SELECT singer_id FROM singer_in_concert JOIN concert USING (concert_id) WHERE year = '2015')",
        "SELECT name FROM singer WHERE singer_id IN (SELECT singer_id FROM singer_in_concert)",
    ],
)
q(
    CONCERT,
    "SELECT name FROM singer WHERE age BETWEEN 29 AND 43",
    [
        "SELECT name FROM singer WHERE age >= 29 AND age <= 43",
        "SELECT name FROM singer WHERE NOT (age < 29 OR age > 43)",
        "SELECT name FROM singer WHERE age > 28 AND age < 44",
    ],
    [
        "SELECT name FROM singer WHERE age > 29 AND age < 43",
        "SELECT name FROM singer WHERE age >= 29 AND age < 43",
        "SELECT name FROM singer WHERE age BETWEEN 30 AND 43",
        "SELECT name FROM singer WHERE age <= 43",
    ],
)
q(
    EMP,
    "SELECT d.name, AVG(e.salary) FROM dept d JOIN emp e ON e.dept_id = d.id GROUP BY d.id",
    [
        "SELECT d.name, AVG(e.salary) FROM emp e, dept d WHERE e.dept_id = d.id GROUP BY d.name",
        "WITH a AS (SELECT dept_id, avg(salary) s FROM emp GROUP BY dept_id) SELECT name, s FROM a JOIN dept ON dept.id = a.dept_id",
        "SELECT DISTINCT d.name, AVG(e.salary) OVER (PARTITION BY d.id) FROM dept d JOIN emp e ON e.dept_id=d.id",
        "SELECT d.name, SUM(e.salary)/COUNT(e.salary) FROM dept d JOIN emp e ON e.dept_id = d.id GROUP BY d.id",
    ],
    [
        "SELECT d.name, AVG(e.salary) FROM dept d LEFT JOIN emp e ON e.dept_id = d.id GROUP BY d.id",
        "SELECT d.name, SUM(e.salary) FROM dept d JOIN emp e ON e.dept_id = d.id GROUP BY d.id",
        "SELECT d.name, AVG(DISTINCT e.salary) FROM dept d JOIN emp e ON e.dept_id = d.id GROUP BY d.id",
        "SELECT d.name, AVG(e.salary) FROM dept d JOIN emp e ON e.id = d.id GROUP BY d.id",
        "SELECT d.name, MAX(e.salary) FROM dept d JOIN emp e ON e.dept_id = d.id GROUP BY d.id",
    ],
)
q(
    EMP,
    "SELECT name FROM emp WHERE salary = (SELECT MAX(salary) FROM emp)",
    [
        "SELECT name FROM emp e WHERE NOT EXISTS (SELECT 1 FROM emp x WHERE x.salary > e.salary)",
        "SELECT name FROM (SELECT name, RANK() OVER (ORDER BY salary DESC) r FROM emp) WHERE r = 1",
        "SELECT name FROM (SELECT name, DENSE_RANK() OVER (ORDER BY salary DESC) r FROM emp) WHERE r <= 1",
    ],
    [
        "SELECT name FROM emp ORDER BY salary DESC LIMIT 1",
        "SELECT name FROM (SELECT name, ROW_NUMBER() OVER (ORDER BY salary DESC) r FROM emp) WHERE r = 1",
        "SELECT name FROM emp WHERE salary = (SELECT MIN(salary) FROM emp)",
        "SELECT name FROM emp WHERE salary = 6000",
        "SELECT name FROM emp WHERE salary > 5500",
    ],
)
q(
    EMP,
    "SELECT e.name, m.name FROM emp e LEFT JOIN emp m ON e.manager_id = m.id",
    [
        "SELECT name, (SELECT name FROM emp m WHERE m.id = e.manager_id) FROM emp e",
        "SELECT e.name, m.name FROM emp e JOIN emp m ON e.manager_id = m.id UNION ALL SELECT name, NULL FROM emp WHERE manager_id IS NULL",
    ],
    [
        "SELECT e.name, m.name FROM emp e JOIN emp m ON e.manager_id = m.id",
        "SELECT e.name, m.name FROM emp e LEFT JOIN emp m ON e.id = m.manager_id",
        "SELECT e.name, COALESCE(m.name, '') FROM emp e LEFT JOIN emp m ON e.manager_id = m.id",
    ],
)
q(
    EMP,
    "SELECT name, salary FROM emp ORDER BY salary DESC LIMIT 3",
    [
        "SELECT name, salary FROM emp ORDER BY salary DESC, id LIMIT 3",
        "SELECT name, salary FROM emp ORDER BY salary DESC, name DESC LIMIT 3",
    ],
    [
        "SELECT name, salary FROM emp ORDER BY salary LIMIT 3",
        "SELECT name, salary FROM emp ORDER BY salary DESC LIMIT 2",
        "SELECT name, salary FROM emp ORDER BY salary DESC LIMIT 4",
        "SELECT name, salary FROM emp ORDER BY name LIMIT 3",
    ],
    True,
)
q(
    EMP,
    "SELECT name FROM emp ORDER BY salary",
    [
        "SELECT name FROM emp ORDER BY salary, name",
        "SELECT name FROM emp ORDER BY salary, name DESC",
        "SELECT name FROM emp ORDER BY salary, id DESC",
        "SELECT e.name FROM emp AS e ORDER BY e.salary ASC",
    ],
    [
        "SELECT name FROM emp ORDER BY salary DESC",
        "SELECT name FROM emp ORDER BY name",
        "SELECT name FROM emp ORDER BY hired",
        "SELECT name FROM emp",
    ],
    True,
)
q(
    EMP,
    "SELECT dept_id, COUNT(*) AS n FROM emp GROUP BY dept_id ORDER BY n DESC",
    [
        "SELECT dept_id, COUNT(*) FROM emp GROUP BY dept_id ORDER BY COUNT(*) DESC, dept_id",
        "SELECT dept_id, COUNT(*) FROM emp GROUP BY dept_id ORDER BY 2 DESC, 1 DESC",
    ],
    [
        "SELECT dept_id, COUNT(*) AS n FROM emp GROUP BY dept_id ORDER BY n",
        "SELECT dept_id, COUNT(dept_id) AS n FROM emp GROUP BY dept_id ORDER BY n DESC",
        "SELECT dept_id, COUNT(*) AS n FROM emp WHERE dept_id IS NOT NULL GROUP BY dept_id ORDER BY n DESC",
    ],
    True,
)
q(
    EMP,
    "SELECT name FROM emp WHERE dept_id IS NULL",
    [
        "SELECT name FROM emp WHERE dept_id ISNULL",
        "SELECT name FROM emp WHERE COALESCE(dept_id, -1) = -1",
        "SELECT e.name FROM emp e LEFT JOIN dept d ON d.id = e.dept_id WHERE d.id IS NULL",
    ],
    ["SELECT name FROM emp WHERE dept_id = NULL", "SELECT name FROM emp WHERE dept_id IS NOT NULL", "SELECT 'Fay'"],
)
q(
    EMP,
    "SELECT COUNT(DISTINCT dept_id) FROM emp",
    ["SELECT COUNT(*) FROM (SELECT DISTINCT dept_id FROM emp WHERE dept_id IS NOT NULL)"],
    [
        "SELECT COUNT(dept_id) FROM emp",
        "SELECT COUNT(*) FROM (SELECT DISTINCT dept_id FROM emp)",
        "SELECT COUNT(*) FROM dept",
        "SELECT 3",
    ],
)
q(
    EMP,
    "SELECT name FROM emp WHERE hired >= '2020-01-01' AND hired < '2021-01-01'",
    [
        "SELECT name FROM emp WHERE strftime('%Y', hired) = '2020'",
        "SELECT name FROM emp WHERE hired LIKE '2020-%'",
        "SELECT name FROM emp WHERE substr(hired, 1, 4) = '2020'",
        "SELECT name FROM emp WHERE hired BETWEEN '2020-01-01' AND '2020-12-31'",
    ],
    [
        "SELECT name FROM emp WHERE hired >= '2020-01-01'",
        "SELECT name FROM emp WHERE strftime('%Y', hired) = '2021'",
        "SELECT name FROM emp WHERE hired < '2021-01-01'",
    ],
)
q(
    EMP,
    "SELECT d.name FROM dept d JOIN emp e ON d.id = e.dept_id GROUP BY d.id HAVING COUNT(*) > 1",
    [
        "SELECT name FROM dept WHERE id IN (SELECT dept_id FROM emp GROUP BY dept_id HAVING COUNT(*) >= 2)",
        "SELECT name FROM dept d WHERE (SELECT COUNT(*) FROM emp e WHERE e.dept_id = d.id) > 1",
    ],
    [
        "SELECT d.name FROM dept d JOIN emp e ON d.id = e.dept_id GROUP BY d.id HAVING COUNT(*) > 2",
        "SELECT d.name FROM dept d JOIN emp e ON d.id = e.dept_id GROUP BY d.id",
        "SELECT DISTINCT d.name FROM dept d JOIN emp e ON d.id = e.dept_id",
        "SELECT d.name FROM dept d JOIN emp e ON d.id = e.dept_id GROUP BY d.id HAVING COUNT(*) >= 1",
    ],
)
q(
    EMP,
    "SELECT MAX(salary) FROM emp WHERE salary < (SELECT MAX(salary) FROM emp)",
    [
        "SELECT DISTINCT salary FROM emp ORDER BY salary DESC LIMIT 1 OFFSET 1",
        "SELECT DISTINCT salary FROM (SELECT salary, DENSE_RANK() OVER (ORDER BY salary DESC) r FROM emp) WHERE r = 2",
    ],
    [
        "SELECT salary FROM emp ORDER BY salary DESC LIMIT 1 OFFSET 1",
        "SELECT MAX(salary) FROM emp",
        "SELECT MIN(salary) FROM emp WHERE salary < (SELECT MAX(salary) FROM emp)",
        "SELECT 5500",
    ],
)
q(
    EMP,
    "SELECT name, salary, SUM(salary) OVER (ORDER BY id) FROM emp",
    ["SELECT name, salary, (SELECT SUM(salary) FROM emp x WHERE x.id <= e.id) FROM emp e"],
    [
        "SELECT name, salary, SUM(salary) OVER () FROM emp",
        "SELECT name, salary, SUM(salary) OVER (ORDER BY salary) FROM emp",
    ],
)
q(
    EMP,
    "SELECT name FROM emp WHERE name LIKE 'A%' OR name LIKE '%e'",
    ["SELECT name FROM emp WHERE substr(name,1,1)='A' OR substr(name,-1)='e'"],
    [
        "SELECT name FROM emp WHERE name LIKE 'A%' AND name LIKE '%e'",
        "SELECT name FROM emp WHERE name LIKE 'A%'",
        "SELECT name FROM emp WHERE name LIKE '%A%' OR name LIKE '%e%'",
    ],
)
q(
    EMP,
    "SELECT CASE WHEN salary >= 5000 THEN 'high' ELSE 'low' END AS band, COUNT(*) FROM emp GROUP BY band",
    ["SELECT CASE WHEN salary < 5000 THEN 'low' ELSE 'high' END, COUNT(*) FROM emp GROUP BY 1"],
    [
        "SELECT CASE WHEN salary > 5000 THEN 'high' ELSE 'low' END AS band, COUNT(*) FROM emp GROUP BY band",
        "SELECT 'high', 4 UNION SELECT 'low', 4",
    ],
)
q(
    SHOP,
    "SELECT c.name, SUM(p.price * i.qty) AS total FROM customers c JOIN orders o ON o.customer_id = c.customer_id JOIN items i ON i.order_id = o.order_id JOIN products p ON p.product_id = i.product_id WHERE o.status = 'paid' GROUP BY c.customer_id",
    [
        "SELECT c.name, t FROM customers c JOIN (SELECT o.customer_id, SUM(i.qty * p.price) t FROM orders o JOIN items i USING(order_id) JOIN products p USING(product_id) WHERE o.status='paid' GROUP BY 1) x ON x.customer_id=c.customer_id"
    ],
    [
        "SELECT c.name, SUM(p.price) AS total FROM customers c JOIN orders o ON o.customer_id = c.customer_id JOIN items i ON i.order_id = o.order_id JOIN products p ON p.product_id = i.product_id WHERE o.status = 'paid' GROUP BY c.customer_id",
        "SELECT c.name, SUM(p.price * i.qty) AS total FROM customers c JOIN orders o ON o.customer_id = c.customer_id JOIN items i ON i.order_id = o.order_id JOIN products p ON p.product_id = i.product_id GROUP BY c.customer_id",
        "SELECT c.country, SUM(p.price * i.qty) AS total FROM customers c JOIN orders o ON o.customer_id = c.customer_id JOIN items i ON i.order_id = o.order_id JOIN products p ON p.product_id = i.product_id WHERE o.status = 'paid' GROUP BY c.country",
    ],
)
q(
    SHOP,
    "SELECT category, MAX(price) FROM products GROUP BY category ORDER BY category",
    [
        "SELECT category, price FROM (SELECT category, price, ROW_NUMBER() OVER (PARTITION BY category ORDER BY price DESC) r FROM products) WHERE r=1 ORDER BY 1"
    ],
    [
        "SELECT category, MAX(price) FROM products GROUP BY category ORDER BY MAX(price)",
        "SELECT category, MIN(price) FROM products GROUP BY category ORDER BY category",
        "SELECT category, MAX(price) FROM products GROUP BY category ORDER BY category DESC",
    ],
    True,
)
q(
    SHOP,
    "SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)",
    [
        "SELECT name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id=c.customer_id)",
        "SELECT c.name FROM customers c LEFT JOIN orders o USING(customer_id) WHERE o.order_id IS NULL",
    ],
    [
        "SELECT name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders WHERE status = 'paid')",
        "SELECT name FROM customers WHERE customer_id > 4",
    ],
)
q(
    SHOP,
    "SELECT title FROM products WHERE price > (SELECT AVG(price) FROM products)",
    [
        "SELECT p.title FROM products p, (SELECT AVG(price) a FROM products) x WHERE p.price > x.a",
        "WITH a AS (SELECT AVG(price) v FROM products) SELECT title FROM products JOIN a ON price > v",
    ],
    [
        "SELECT title FROM products WHERE price >= 85",
        "SELECT title FROM products WHERE price > 50",
        "SELECT title FROM products WHERE price < (SELECT AVG(price) FROM products)",
        "SELECT title FROM products WHERE price > (SELECT SUM(price)/10 FROM products)",
    ],
)
q(
    SHOP,
    "SELECT strftime('%m', ordered) AS month, COUNT(*) FROM orders GROUP BY month",
    ["SELECT substr(ordered, 6, 2), COUNT(order_id) FROM orders GROUP BY 1"],
    [
        "SELECT strftime('%Y', ordered) AS month, COUNT(*) FROM orders GROUP BY month",
        "SELECT strftime('%m', ordered) AS month, COUNT(DISTINCT customer_id) FROM orders GROUP BY month",
    ],
)
q(
    SHOP,
    "SELECT c.country, COUNT(DISTINCT o.customer_id) FROM customers c JOIN orders o USING (customer_id) GROUP BY c.country",
    ["SELECT country, COUNT(*) FROM customers WHERE customer_id IN (SELECT customer_id FROM orders) GROUP BY country"],
    [
        "SELECT c.country, COUNT(o.customer_id) FROM customers c JOIN orders o USING (customer_id) GROUP BY c.country",
        "SELECT country, COUNT(*) FROM customers GROUP BY country",
        "SELECT c.country, COUNT(DISTINCT o.customer_id) FROM customers c LEFT JOIN orders o USING (customer_id) GROUP BY c.country",
    ],
)
q(
    SHOP,
    "SELECT ROUND(AVG(price), 2) FROM products",
    ["SELECT ROUND(SUM(price)/COUNT(*), 2) FROM products"],
    ["SELECT AVG(price) FROM products", "SELECT ROUND(AVG(price), 1) FROM products", "SELECT 49.33"],
)
q(
    SHOP,
    "SELECT name FROM customers WHERE LOWER(name) = 'ada'",
    [
        "SELECT name FROM customers WHERE name LIKE 'ada'",
        "SELECT name FROM customers WHERE name = 'ADA' COLLATE NOCASE",
        "SELECT name FROM customers WHERE UPPER(name) = 'ADA'",
    ],
    ["SELECT name FROM customers WHERE name = 'ada'", "SELECT name FROM customers WHERE name = 'Ada'"],
)
q(
    SHOP,
    "SELECT p.title, COALESCE(SUM(i.qty), 0) FROM products p LEFT JOIN items i ON i.product_id = p.product_id GROUP BY p.product_id",
    ["SELECT title, IFNULL((SELECT SUM(qty) FROM items i WHERE i.product_id = p.product_id), 0) FROM products p"],
    [
        "SELECT p.title, SUM(i.qty) FROM products p JOIN items i ON i.product_id = p.product_id GROUP BY p.product_id",
        "SELECT p.title, SUM(i.qty) FROM products p LEFT JOIN items i ON i.product_id = p.product_id GROUP BY p.product_id",
        "SELECT p.title, COUNT(i.qty) FROM products p LEFT JOIN items i ON i.product_id = p.product_id GROUP BY p.product_id",
    ],
)
q(
    SHOP,
    "SELECT customer_id FROM orders WHERE status='paid' INTERSECT SELECT customer_id FROM orders WHERE status='open'",
    [
        "SELECT customer_id FROM orders GROUP BY customer_id HAVING SUM(status='paid')>0 AND SUM(status='open')>0",
        "SELECT DISTINCT a.customer_id FROM orders a JOIN orders b ON a.customer_id=b.customer_id WHERE a.status='paid' AND b.status='open'",
    ],
    [
        "SELECT customer_id FROM orders WHERE status='paid' OR status='open'",
        "SELECT customer_id FROM orders WHERE status='paid' AND status='open'",
        "SELECT a.customer_id FROM orders a JOIN orders b ON a.customer_id=b.customer_id WHERE a.status='paid' AND b.status='open'",
        "SELECT 1",
    ],
)
q(
    SHOP,
    "SELECT title, price FROM products ORDER BY price DESC, title ASC",
    ["SELECT title, price FROM products ORDER BY 2 DESC, 1"],
    [
        "SELECT title, price FROM products ORDER BY price DESC, title DESC",
        "SELECT title, price FROM products ORDER BY title",
        "SELECT title, price FROM products ORDER BY price, title",
    ],
    True,
)
q(
    SHOP,
    "SELECT title FROM products ORDER BY price DESC",
    [
        "SELECT title FROM products ORDER BY price DESC, title DESC",
        "SELECT title FROM products ORDER BY price DESC, title",
    ],
    ["SELECT title FROM products ORDER BY price"],
    True,
)
q(
    SHOP,
    "SELECT o.order_id, c.name FROM orders o JOIN customers c ON c.customer_id = o.customer_id WHERE o.ordered > '2022-02-20'",
    ["SELECT order_id, name FROM orders NATURAL JOIN customers WHERE ordered > '2022-02-20'"],
    [
        "SELECT o.order_id, c.name FROM orders o JOIN customers c ON c.customer_id = o.customer_id WHERE o.ordered >= '2022-02-20'",
        "SELECT o.order_id, c.name FROM orders o, customers c WHERE o.ordered > '2022-02-20'",
    ],
)
q(
    SHOP,
    "SELECT CAST(SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) AS REAL) * 100 / COUNT(*) FROM orders",
    [
        "SELECT AVG(status = 'paid') * 100 FROM orders",
        "SELECT 100.0 * COUNT(CASE WHEN status='paid' THEN 1 END) / COUNT(order_id) FROM orders",
    ],
    [
        "SELECT SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) * 100 / COUNT(*) FROM orders",
        "SELECT CAST(SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) AS REAL) / COUNT(*) FROM orders",
        "SELECT COUNT(*) * 100.0 / COUNT(*) FROM orders WHERE status='paid'",
    ],
)
q(
    SHOP,
    "UPDATE products SET price = price * 2 WHERE category = 'Media'",
    ["UPDATE products SET price = 2 * price WHERE category IN ('Media')"],
    [
        "UPDATE products SET price = price * 2",
        "UPDATE products SET price = 24 WHERE category = 'Media'",
        "SELECT 1",
        "DELETE FROM products WHERE category = 'Media'",
    ],
)
q(
    SHOP,
    "DELETE FROM orders WHERE status = 'cancelled'",
    ["DELETE FROM orders WHERE order_id IN (SELECT order_id FROM orders WHERE status='cancelled')"],
    ["DELETE FROM orders", "DELETE FROM orders WHERE status <> 'cancelled'", "DELETE FROM orders WHERE order_id = 4"],
)
q(
    TIE,
    "SELECT id FROM t ORDER BY v",
    ["SELECT id FROM t ORDER BY v, id DESC", "SELECT id FROM t ORDER BY v, grp DESC, id"],
    ["SELECT id FROM t ORDER BY v DESC", "SELECT id FROM t ORDER BY grp", "SELECT id FROM t ORDER BY id"],
    True,
)
q(
    TIE,
    "SELECT grp, sum(v) s FROM t GROUP BY grp ORDER BY s DESC",
    [
        "SELECT grp, sum(v) s FROM t GROUP BY grp ORDER BY s DESC, grp DESC",
        "SELECT grp, sum(v) FROM t GROUP BY grp ORDER BY 2 DESC, 1",
    ],
    [
        "SELECT grp, sum(v) s FROM t GROUP BY grp ORDER BY s",
        "SELECT grp, total(v) s FROM t GROUP BY grp ORDER BY s DESC",
        "SELECT grp, sum(v) s FROM t GROUP BY grp ORDER BY grp",
    ],
    True,
)
q(
    TIE,
    "SELECT id FROM t WHERE v IS NOT NULL ORDER BY v DESC LIMIT 4",
    ["SELECT id FROM t WHERE v > 0 ORDER BY v DESC, id LIMIT 4"],
    [
        "SELECT id FROM t WHERE v IS NOT NULL ORDER BY v LIMIT 4",
        "SELECT id FROM t WHERE v IS NOT NULL ORDER BY v DESC LIMIT 3",
    ],
    True,
)
q(
    TIE,
    "SELECT grp, v FROM t ORDER BY CASE grp WHEN 'b' THEN 0 ELSE 1 END",
    ["SELECT grp, v FROM t ORDER BY grp <> 'b', id DESC"],
    ["SELECT grp, v FROM t ORDER BY grp = 'b'"],
    True,
)
q(
    TIE,
    "SELECT id FROM t WHERE v = 3 UNION SELECT id FROM t WHERE grp = 'a' ORDER BY id DESC",
    ["SELECT id FROM t WHERE v = 3 OR grp = 'a' ORDER BY id DESC"],
    ["SELECT id FROM t WHERE v = 3 UNION SELECT id FROM t WHERE grp = 'a' ORDER BY id"],
    True,
)
q(
    TIE,
    "SELECT DISTINCT v FROM t ORDER BY v NULLS LAST",
    ["SELECT v FROM t GROUP BY v ORDER BY v IS NULL, v"],
    ["SELECT DISTINCT v FROM t ORDER BY v"],
    True,
)

DATED = """CREATE TABLE sales(id INTEGER PRIMARY KEY, d TEXT, status TEXT, amount REAL);
INSERT INTO sales VALUES (1,'2024-01-15','open',10),(2,'2024-02-03','paid',20),(3,'2024-02-20','open',5),
 (4,'2024-03-01','paid',8),(5,'2024-02-28','paid',7),(6,'2024-04-09','open',3);"""
q(
    DATED,
    "SELECT SUM(amount) FROM sales WHERE d BETWEEN '2024-02-01' AND '2024-02-29'",
    ["SELECT SUM(amount) FROM sales WHERE strftime('%Y-%m', d) = '2024-02'"],
    ["SELECT SUM(amount) FROM sales WHERE strftime('%m', d) = '02'"],
)
q(
    DATED,
    "SELECT COUNT(*) FROM sales WHERE strftime('%Y-%m', d) = '2024-02'",
    ["SELECT COUNT(*) FROM sales WHERE d LIKE '2024-02-%'", "SELECT COUNT(*) FROM sales WHERE substr(d,1,7)='2024-02'"],
    ["SELECT COUNT(*) FROM sales WHERE d LIKE '%-02-%'", "SELECT COUNT(*) FROM sales WHERE substr(d,6,2)='02'"],
)
q(
    DATED,
    "SELECT id FROM sales WHERE status = 'paid'",
    ["SELECT id FROM sales WHERE status IN ('paid')"],
    ["SELECT id FROM sales WHERE status <> 'open'", "SELECT id FROM sales WHERE status LIKE 'paid%'"],
)

LIBRARY = """
CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT, born INTEGER);
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author_id INTEGER REFERENCES authors(id), published TEXT, price REAL, genre TEXT);
CREATE TABLE loans (id INTEGER PRIMARY KEY, book_id INTEGER REFERENCES books(id), member TEXT, out_on TEXT, back_on TEXT);
INSERT INTO authors VALUES (1,'Ana','PT',1950),(2,'Ben','UK',1962),(3,'Cho','KR',1971),(4,'Dov',NULL,1980),(5,'Eva','UK',1962);
INSERT INTO books VALUES (1,'Sea',1,'2001-05-01',10.0,'novel'),(2,'Hill',1,'2004-12-31',12.5,'novel'),(3,'Code',2,'2010-01-01',30.0,'tech'),
 (4,'Maps',3,'2010-06-15',18.0,'travel'),(5,'Rain',3,'2015-03-03',9.5,NULL),(6,'Data',2,'2019-11-20',42.0,'tech'),(7,'Bees',4,'2020-02-29',15.0,'nature');
INSERT INTO loans VALUES (1,1,'kim','2023-01-05','2023-01-20'),(2,3,'lou','2023-01-07',NULL),(3,3,'kim','2023-02-11','2023-02-28'),(4,6,'max','2023-03-01',NULL),(5,2,'kim','2023-03-01','2023-03-02');
"""
q(
    LIBRARY,
    "SELECT COUNT(*) FROM loans WHERE out_on LIKE '2023-03-%'",
    [
        "SELECT COUNT(*) FROM loans WHERE out_on BETWEEN '2023-03-01' AND '2023-03-31'",
        "SELECT COUNT(id) FROM loans WHERE strftime('%Y-%m', out_on) = '2023-03'",
    ],
    [
        "SELECT COUNT(*) FROM loans WHERE strftime('%m', out_on) = '03'",
        "SELECT COUNT(*) FROM loans WHERE out_on >= '2023-03-01'",
        "SELECT COUNT(*) FROM loans WHERE out_on > '2023-02-28'",
    ],
)
q(
    LIBRARY,
    "SELECT title FROM books WHERE genre = 'tech'",
    [
        "SELECT title FROM books WHERE genre IN ('tech')",
        "SELECT b.title FROM books b WHERE b.genre LIKE 'tech'",
    ],
    [
        "SELECT title FROM books WHERE price >= 30",
        "SELECT title FROM books WHERE genre <> 'novel' AND genre <> 'travel' AND genre <> 'nature'",
        "SELECT title FROM books WHERE genre LIKE 't%' AND genre <> 'travel'",
        "SELECT title FROM books WHERE genre LIKE 'tech%'",
    ],
)
q(
    LIBRARY,
    "SELECT title FROM books WHERE genre <> 'novel' OR genre IS NULL",
    [
        "SELECT title FROM books WHERE COALESCE(genre, '') <> 'novel'",
        "SELECT title FROM books WHERE genre IS NOT 'novel'",
    ],
    [
        "SELECT title FROM books WHERE genre <> 'novel'",
        "SELECT title FROM books WHERE NOT genre = 'novel'",
        "SELECT title FROM books WHERE COALESCE(genre, 'novel') <> 'novel'",
    ],
)
q(
    LIBRARY,
    "SELECT member FROM loans WHERE back_on IS NULL",
    [
        "SELECT member FROM loans WHERE COALESCE(back_on, '') = ''",
        "SELECT member FROM loans WHERE back_on ISNULL",
    ],
    [
        "SELECT member FROM loans WHERE back_on = NULL",
        "SELECT member FROM loans WHERE back_on = ''",
        "SELECT member FROM loans WHERE member <> 'kim'",
    ],
)
q(
    LIBRARY,
    "SELECT name FROM authors ORDER BY born DESC LIMIT 2",
    [
        "SELECT name FROM authors ORDER BY born DESC, name LIMIT 2",
        "SELECT name FROM authors ORDER BY born DESC, id DESC LIMIT 2",
    ],
    [
        "SELECT name FROM authors ORDER BY born LIMIT 2",
        "SELECT name FROM authors WHERE born >= 1971 ORDER BY born DESC",
        "SELECT name FROM authors ORDER BY id DESC LIMIT 2",
        "SELECT name FROM authors ORDER BY born DESC LIMIT 3",
    ],
    True,
)
q(
    LIBRARY,
    "SELECT name FROM authors WHERE born = (SELECT MIN(born) FROM authors WHERE country = 'UK') AND country = 'UK'",
    [
        "SELECT a.name FROM authors a WHERE a.country = 'UK' AND NOT EXISTS (SELECT 1 FROM authors b WHERE b.country = 'UK' AND b.born < a.born)",
    ],
    [
        "SELECT name FROM authors WHERE country = 'UK' ORDER BY born LIMIT 1",
        "SELECT name FROM authors WHERE country = 'UK'",
        "SELECT name FROM authors WHERE born = 1962",
    ],
)
q(
    LIBRARY,
    "SELECT a.name, COUNT(b.id) FROM authors a LEFT JOIN books b ON b.author_id = a.id GROUP BY a.id",
    [
        "SELECT a.name, (SELECT COUNT(*) FROM books b WHERE b.author_id = a.id) FROM authors a",
    ],
    [
        "SELECT a.name, COUNT(b.id) FROM authors a JOIN books b ON b.author_id = a.id GROUP BY a.id",
        "SELECT a.name, COUNT(*) FROM authors a LEFT JOIN books b ON b.author_id = a.id GROUP BY a.id",
    ],
)
q(
    LIBRARY,
    "SELECT a.name FROM authors a LEFT JOIN books b ON b.author_id = a.id AND b.genre = 'tech' WHERE b.id IS NULL",
    [
        "SELECT name FROM authors WHERE id NOT IN (SELECT author_id FROM books WHERE genre = 'tech' AND author_id IS NOT NULL)",
        "SELECT name FROM authors a WHERE NOT EXISTS (SELECT 1 FROM books WHERE author_id = a.id AND genre = 'tech')",
    ],
    [
        "SELECT a.name FROM authors a LEFT JOIN books b ON b.author_id = a.id WHERE b.genre <> 'tech' OR b.id IS NULL",
        "SELECT a.name FROM authors a LEFT JOIN books b ON b.author_id = a.id WHERE b.id IS NULL",
        "SELECT name FROM authors WHERE name <> 'Ben'",
    ],
)
q(
    LIBRARY,
    "SELECT DISTINCT a.country FROM authors a JOIN books b ON b.author_id = a.id WHERE b.price > 11",
    [
        "SELECT a.country FROM authors a JOIN books b ON b.author_id = a.id WHERE b.price > 11 GROUP BY a.country",
        "SELECT country FROM authors WHERE id IN (SELECT author_id FROM books WHERE price > 11) GROUP BY country",
    ],
    [
        "SELECT a.country FROM authors a JOIN books b ON b.author_id = a.id WHERE b.price > 11",
        "SELECT country FROM authors WHERE id IN (SELECT author_id FROM books WHERE price > 11)",
        "SELECT DISTINCT a.country FROM authors a JOIN books b ON b.author_id = a.id WHERE b.price >= 11",
        "SELECT DISTINCT a.country FROM authors a JOIN books b ON b.author_id = a.id",
    ],
)
q(
    LIBRARY,
    "SELECT COUNT(genre) FROM books",
    [
        "SELECT COUNT(*) FROM books WHERE genre IS NOT NULL",
        "SELECT SUM(genre IS NOT NULL) FROM books",
    ],
    [
        "SELECT COUNT(*) FROM books",
        "SELECT COUNT(DISTINCT genre) FROM books",
        "SELECT COUNT(*) - 1 FROM books",
    ],
)
q(
    LIBRARY,
    "SELECT member, COUNT(*) FROM loans GROUP BY member",
    [
        "SELECT member, COUNT(id) FROM loans GROUP BY 1",
        "SELECT DISTINCT member, COUNT(*) OVER (PARTITION BY member) FROM loans",
    ],
    [
        "SELECT member, COUNT(back_on) FROM loans GROUP BY member",
        "SELECT member, COUNT(DISTINCT book_id) FROM loans GROUP BY member",
    ],
)
q(
    LIBRARY,
    "SELECT title FROM books WHERE price >= 15",
    [
        "SELECT title FROM books WHERE NOT price < 15",
        "SELECT title FROM books WHERE price > 15 OR price = 15",
    ],
    [
        "SELECT title FROM books WHERE price > 15",
        "SELECT title FROM books WHERE price > 14",
        "SELECT title FROM books WHERE price >= 13",
        "SELECT title FROM books WHERE price >= 15 AND price < 50",
    ],
)
q(
    LIBRARY,
    "SELECT title FROM books WHERE price > 20",
    [
        "SELECT title FROM books WHERE NOT price <= 20",
        "SELECT title FROM books WHERE 20 < price",
    ],
    [
        "SELECT title FROM books WHERE price >= 20",
        "SELECT title FROM books WHERE price > 19",
        "SELECT title FROM books WHERE price > 21",
        "SELECT title FROM books WHERE genre = 'tech'",
    ],
)
q(
    LIBRARY,
    "SELECT title FROM books WHERE title LIKE '%a%'",
    [
        "SELECT title FROM books WHERE instr(lower(title), 'a') > 0",
        "SELECT title FROM books WHERE lower(title) LIKE '%a%'",
        "SELECT title FROM books WHERE title LIKE '%A%'",
    ],
    [
        "SELECT title FROM books WHERE title GLOB '*a*'",
        "SELECT title FROM books WHERE instr(title, 'a') > 0",
        "SELECT title FROM books WHERE title LIKE '%a'",
        "SELECT title FROM books WHERE title LIKE '_a%' OR title LIKE '%a'",
    ],
)
q(
    LIBRARY,
    "SELECT name FROM authors WHERE name LIKE 'E%'",
    [
        "SELECT name FROM authors WHERE upper(substr(name,1,1)) = 'E'",
    ],
    [
        "SELECT name FROM authors WHERE name LIKE '%E%'",
        "SELECT name FROM authors WHERE name = 'Eva'",
        "SELECT name FROM authors WHERE name LIKE 'E__'",
        "SELECT name FROM authors WHERE name >= 'E'",
    ],
)
q(
    LIBRARY,
    "SELECT title FROM books WHERE published BETWEEN '2010-01-01' AND '2019-12-31'",
    [
        "SELECT title FROM books WHERE published >= '2010-01-01' AND published <= '2019-12-31'",
        "SELECT title FROM books WHERE substr(published,1,3) = '201'",
    ],
    [
        "SELECT title FROM books WHERE published > '2010-01-01' AND published <= '2019-12-31'",
        "SELECT title FROM books WHERE published >= '2010-01-01' AND published < '2019-12-31'",
        "SELECT title FROM books WHERE published BETWEEN '2010-01-01' AND '2020-01-01'",
        "SELECT title FROM books WHERE published BETWEEN '2010-01-01' AND '2019-12-30'",
    ],
)
q(
    LIBRARY,
    "SELECT id FROM books WHERE price BETWEEN 10 AND 20",
    [
        "SELECT id FROM books WHERE price >= 10 AND price <= 20",
    ],
    [
        "SELECT id FROM books WHERE price > 10 AND price < 20",
        "SELECT id FROM books WHERE price >= 10 AND price < 20",
        "SELECT id FROM books WHERE price > 9.5 AND price <= 20",
    ],
)
q(
    LIBRARY,
    "SELECT author_id FROM books GROUP BY author_id HAVING COUNT(*) > 1",
    [
        "SELECT author_id FROM books GROUP BY author_id HAVING COUNT(*) >= 2",
        "SELECT author_id FROM (SELECT author_id, COUNT(*) AS n FROM books GROUP BY author_id) WHERE n > 1",
    ],
    [
        "SELECT author_id FROM books GROUP BY author_id HAVING COUNT(*) = 2",
        "SELECT author_id FROM books GROUP BY author_id HAVING COUNT(*) >= 1",
        "SELECT author_id FROM books GROUP BY author_id HAVING COUNT(genre) > 1",
        "SELECT author_id FROM books GROUP BY author_id HAVING SUM(price) > 20",
    ],
)
q(
    LIBRARY,
    "SELECT genre, AVG(price) FROM books WHERE genre IS NOT NULL GROUP BY genre HAVING AVG(price) >= 15",
    [
        "SELECT genre, SUM(price) / COUNT(price) FROM books GROUP BY genre HAVING AVG(price) >= 15 AND genre IS NOT NULL",
    ],
    [
        "SELECT genre, AVG(price) FROM books WHERE genre IS NOT NULL AND price >= 15 GROUP BY genre",
        "SELECT genre, AVG(price) FROM books WHERE genre IS NOT NULL GROUP BY genre HAVING AVG(price) > 15",
        "SELECT genre, AVG(price) FROM books WHERE genre IS NOT NULL GROUP BY genre HAVING MAX(price) >= 15",
        "SELECT genre, AVG(price) FROM books GROUP BY genre HAVING AVG(price) >= 15 OR genre IS NULL",
    ],
)
q(
    LIBRARY,
    "SELECT title FROM books WHERE published < '2005-01-01'",
    [
        "SELECT title FROM books WHERE published <= '2004-12-31'",
        "SELECT title FROM books WHERE CAST(strftime('%Y', published) AS INTEGER) < 2005",
        "SELECT title FROM books WHERE strftime('%Y', published) <= '2004'",
    ],
    [
        "SELECT title FROM books WHERE published < '2004-12-31' OR id = 2",
        "SELECT title FROM books WHERE published <= '2005-01-01'",
        "SELECT title FROM books WHERE strftime('%Y', published) <= '2005'",
        "SELECT title FROM books WHERE genre = 'novel'",
    ],
)
q(
    LIBRARY,
    "SELECT country FROM authors WHERE born < 1960 UNION SELECT country FROM authors WHERE born > 1975",
    [
        "SELECT DISTINCT country FROM authors WHERE born < 1960 OR born > 1975",
        "SELECT DISTINCT country FROM authors WHERE born NOT BETWEEN 1960 AND 1975",
    ],
    [
        "SELECT country FROM authors WHERE born < 1960 UNION ALL SELECT country FROM authors WHERE born > 1975",
        "SELECT DISTINCT country FROM authors WHERE born <= 1960 OR born > 1975",
    ],
)
q(
    LIBRARY,
    "SELECT AVG(julianday(back_on) - julianday(out_on)) FROM loans",
    [
        "SELECT SUM(julianday(back_on) - julianday(out_on)) / COUNT(back_on) FROM loans",
        "SELECT AVG(julianday(back_on) - julianday(out_on)) FROM loans WHERE back_on IS NOT NULL",
    ],
    [
        "SELECT SUM(julianday(back_on) - julianday(out_on)) / COUNT(*) FROM loans",
        "SELECT AVG(COALESCE(julianday(back_on) - julianday(out_on), 0)) FROM loans",
    ],
)
q(
    LIBRARY,
    "SELECT SUM(price) FROM books",
    [
        "SELECT TOTAL(price) FROM books",
        "SELECT SUM(b.price) FROM books AS b",
    ],
    [
        "SELECT SUM(DISTINCT price) FROM books",
        "SELECT SUM(price) FROM books WHERE genre IS NOT NULL OR price < 10",
        "SELECT 137.0",
    ],
)


@pytest.fixture(scope="module")
def results() -> dict[tuple[int, str], VerificationResult]:
    """All of them judged in one batch."""
    wanted = [(number, query) for number, pair in enumerate(PAIRS) for query in (*pair.same, *pair.different)]
    requests = []
    for number, query in wanted:
        pair = PAIRS[number]
        reference = {"language": "sql", "schema": pair.schema, "query": pair.gold, "ordered": pair.ordered}
        requests.append(parse_request("code", {"response": f"```sql\n{query}\n```", "reference": reference}))
    with LocalSandbox() as sandbox:
        judged = CodeVerifier(sandbox).check_batch(requests)
    return dict(zip(wanted, judged, strict=True))


@pytest.mark.parametrize("number", range(len(PAIRS)), ids=lambda number: PAIRS[number].gold[:60])
def test_what_means_the_same_passes_and_near_misses_do_not(
    number: int, results: dict[tuple[int, str], VerificationResult]
) -> None:
    for query in PAIRS[number].same:
        assert results[number, query].score == 1.0, query
    for query in PAIRS[number].different:
        assert results[number, query].score == 0.0, query
