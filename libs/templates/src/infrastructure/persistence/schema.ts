import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables that this lib owns. */
export const templatesSchema: OwnedSchema = {
  owner: 'templates',
  tables: ['templates', 'template_versions'],
  definitions: sqlDefinitions('templates', import.meta.url, [
    'published-templates.view.sql',
    'published-template-contents.view.sql',
    'published-template-documents.view.sql',
  ]),
};
