import { timestamp } from '#platform/http';
import { ApiProperty, Id, Moment, MomentOrNull, OneOf, TextOrNull, Whole } from '#platform/openapi';
import { progressOf } from '../../domain/contact-import.js';
import type { ContactImport, ImportStatus } from '../../domain/contact-import.js';

export class CreatedContactImportResponse {
  @OneOf('contact_import') object!: 'contact_import';
  @Id() id!: string;
}

export class ContactImportCountsResponse {
  @Whole() total!: number;
  @Whole() created!: number;
  @Whole() updated!: number;
  @Whole() skipped!: number;
  @Whole() failed!: number;
}

export class ContactImportResponse {
  @OneOf('contact_import') object!: 'contact_import';
  @Id() id!: string;
  @OneOf('queued', 'in_progress', 'completed', 'failed') status!: ImportStatus;
  @Moment() created_at!: string;
  @MomentOrNull() completed_at!: string | null;
  @ApiProperty({ type: ContactImportCountsResponse }) counts!: ContactImportCountsResponse;
  @Whole() progress!: number;
  @TextOrNull() failure!: string | null;
}

export function importResponse(contactImport: ContactImport): ContactImportResponse {
  const { id, status, createdAt, completedAt, counts, failure } = contactImport;
  return {
    object: 'contact_import',
    id,
    status,
    created_at: timestamp(createdAt),
    completed_at: completedAt === null ? null : timestamp(completedAt),
    counts: { ...counts },
    progress: progressOf(contactImport),
    failure,
  };
}
