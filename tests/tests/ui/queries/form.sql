SELECT name
FORM users
