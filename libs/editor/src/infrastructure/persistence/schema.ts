import { OwnedSchema, sqlDefinitions } from '#postgres/database';

/** The tables of this lib. */
export const editorSchema: OwnedSchema = {
  owner: 'editor',
  tables: ['editor_versions', 'editor_presences', 'editor_styles', 'editor_sections'],
  definitions: sqlDefinitions('editor', import.meta.url, [
    'published-editor-versions.view.sql',
    'published-editor-styles.view.sql',
    'published-editor-sections.view.sql',
    'saved-sections-in.function.sql',
  ]),
  observable: ['editor_versions', 'editor_presences'],
};
