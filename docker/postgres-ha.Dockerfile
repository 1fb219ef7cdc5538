# PostgreSQL with Patroni and pgBackRest, for compose.ha.yaml. The base image brings the package sources of the PostgreSQL
# project, whose pgBackRest knows this version of PostgreSQL.
FROM postgres:18-bookworm
RUN apt-get update && \
  apt-get install -y --no-install-recommends patroni python3-etcd python3-psycopg2 pgbackrest && \
  rm -rf /var/lib/apt/lists/* && \
  mkdir -p /etc/pgbackrest /var/lib/postgresql/18 && chown -R postgres:postgres /var/lib/postgresql
COPY docker/patroni.yaml /etc/patroni.yaml
COPY docker/postrider.sql /etc/postrider.sql
COPY docker/pgbackrest.conf /etc/pgbackrest/pgbackrest.conf
USER postgres
EXPOSE 5432 8008
CMD ["patroni", "/etc/patroni.yaml"]
