import { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Cuts the large entries of the audit log that were stored before entries had a limit. Their fields keep their first
 * 500 characters.
 */
export class BoundedAuditEntries1763900855000 implements MigrationInterface {
  name = 'BoundedAuditEntries1763900855000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE FUNCTION pg_temp.cut(value jsonb) RETURNS jsonb LANGUAGE sql AS $$
      SELECT CASE WHEN jsonb_typeof(value) <> 'object' THEN to_jsonb(left(value::text, 500) || '…')
                  ELSE (SELECT jsonb_object_agg(left(key, 100), CASE WHEN length(field::text) <= 500 THEN field
                                                                     ELSE to_jsonb(left(field::text, 500) || '…') END)
                        FROM (SELECT key, value AS field FROM jsonb_each(value) LIMIT 12) f) || '{"…": "…"}' END $$`);
    for (const column of ['before', 'after']) {
      // The stored size is known without reading the value. Compressed, it is up to 90 times as large.
      await runner.query(`UPDATE audit_entries SET ${column} = pg_temp.cut(${column})
                          WHERE pg_column_size(${column}) > 1000 AND octet_length(${column}::text) > 16384`);
    }
    await runner.query('DROP FUNCTION pg_temp.cut');
  }

  async down(): Promise<void> {}
}
