import { toResponse } from '#http/server';
import { Always, Field, Id, Moment, MomentOrNull, OneOf, ReferenceTo, Shape, TextOrNull, Whole } from '#http/openapi';
import { progressOf } from '../../domain/contact-import.js';
import type { ContactImport, ImportStatus } from '../../domain/contact-import.js';

export const importId = '0193a1f6-0b7e-7d25-9c48-a1c5f7306b2d';

@Shape('The accepted import.')
export class CreatedContactImportResponse extends ReferenceTo('contact_import', 'Id of the import.', importId) {}

@Shape('Numbers of rows. They grow while the import is in progress.')
export class ContactImportCountsResponse {
  @Whole('Rows that were read.', 1200) total!: number;
  @Whole('Rows that made a contact.', 1150) created!: number;
  @Whole('Rows whose contact was known.', 42) updated!: number;
  @Whole('Rows that were left out because their contact was known.', 0) skipped!: number;
  @Whole('Rows that were refused.', 8) failed!: number;
}

@Shape('An import of contacts.')
export class ContactImportResponse {
  @Always('contact_import') object!: 'contact_import';
  @Id('Id of the import.', importId) id!: string;
  @OneOf(
    ['queued', 'in_progress', 'completed', 'failed'],
    'A `failed` import met something that is not CSV. What was imported before stays, and `failure` says ' +
      'the line.',
    'completed',
  )
  status!: ImportStatus;
  @TextOrNull('Name of the file; null if the client gave none.', 'customers.csv') file_name!: string | null;
  @Moment('When the file was accepted.', '2026-11-30 20:41:12.3+00') created_at!: string;
  @MomentOrNull('When it ended; null before.', '2026-11-30 20:41:14.871+00') completed_at!: string | null;
  @Field('Numbers of rows.', { type: ContactImportCountsResponse }) counts!: ContactImportCountsResponse;
  @Field('How much of the file is done, in percent.', { type: 'integer', minimum: 0, maximum: 100 }, 100)
  progress!: number;
  @TextOrNull('Why the import failed; null if it did not.') failure!: string | null;
}

export const importResponse = (contactImport: ContactImport): ContactImportResponse =>
  toResponse(ContactImportResponse, contactImport, {
    counts: { ...contactImport.counts },
    progress: progressOf(contactImport),
  });
