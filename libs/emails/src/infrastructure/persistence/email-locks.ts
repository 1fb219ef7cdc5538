/**
 * Locks the emails that the rows of a table expression are about, in the order of their ids, and gives their ids. What
 * changes recipients of several emails does this first, so that no two such statements wait for each other in a circle;
 * whoever has an email has its recipients too. $2 and $3 are the bounds of the ids.
 *
 * Not as a LATERAL look-up of each: a row that somebody else has changed meanwhile would be missing from its answer, since
 * PostgreSQL looks at the new version of it without the outer row.
 */
export function lockedEmails(rows: string): string {
  return `
        SELECT id FROM emails WHERE id = ANY (ARRAY(SELECT email_id FROM ${rows})) AND id BETWEEN $2 AND $3
        ORDER BY id FOR NO KEY UPDATE`;
}
