DROP TABLE users, orgs;
