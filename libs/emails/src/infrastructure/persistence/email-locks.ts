/**
 * Locks the emails of the rows of a table expression, in the order of their ids, and returns their ids. Every statement
 * that changes recipients of several emails does this first, so that two such statements cannot deadlock. The lock of
 * an email also covers its recipients. $2 and $3 are the bounds of the ids.
 *
 * This must not be a LATERAL look-up per row. Where another transaction has changed an email meanwhile, PostgreSQL
 * rechecks the new version of its row without the outer row, and the email would be missing from the result.
 */
export function lockedEmails(rows: string): string {
  return `
        SELECT id FROM emails WHERE id = ANY (ARRAY(SELECT email_id FROM ${rows})) AND id BETWEEN $2 AND $3
        ORDER BY id FOR NO KEY UPDATE`;
}
