import { OwnedSchema } from '#postgres/database';

/** The tables of this lib. */
export const imagesSchema: OwnedSchema = { owner: 'images', tables: ['images', 'image_files'] };
