\getenv password POSTGRES_PASSWORD
CREATE ROLE postrider LOGIN PASSWORD :'password';
CREATE DATABASE postrider OWNER postrider;
