import { OwnedSchema } from '#postgres/database';

/** The tables of this lib. */
export const editorSchema: OwnedSchema = {
  owner: 'editor',
  tables: ['editor_versions', 'editor_presences', 'editor_styles'],
  observable: ['editor_versions', 'editor_presences'],
};
