import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables that this lib owns. */
export const contactImportsSchema: OwnedSchema = {
  owner: 'contact-imports',
  tables: ['contact_imports', 'contact_import_chunks', 'contact_import_refusals'],
  definitions: sqlDefinitions('contact-imports', import.meta.url, ['published-contact-imports.view.sql']),
};
