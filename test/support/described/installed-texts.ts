import type { ClientBase } from 'pg';

/** The definitions of all views, functions and triggers as PostgreSQL prints them, by kind and name, without BullMQ's. */
export async function installedTexts(client: ClientBase): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; text: string }>(
    `SELECT 'function ' || proname AS name, pg_get_functiondef(oid) AS text FROM pg_proc
     WHERE pronamespace = current_schema()::regnamespace AND proname !~ '^bullmq'
     UNION ALL
     SELECT 'view ' || relname, pg_get_viewdef(oid) FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'v' AND relname !~ '^bullmq'
     UNION ALL
     SELECT 'trigger ' || tgname || ' on ' || relname, pg_get_triggerdef(t.oid)
     FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace AND relname !~ '^bullmq'
     ORDER BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, text }) => [name, text]));
}
