import { actorColumns, actorOf } from '#identity';
import { Row } from '#postgres/database';
import { ContactImport } from '../../domain/contact-import.js';

export type ImportRow = Row<{
  id: string;
  team_id: string;
  api_key_id: string | null;
  actor_kind: string | null;
  actor_id: string | null;
  status: ContactImport['status'];
  format: ContactImport['format'];
  mapping: ContactImport['mapping'];
  on_conflict: ContactImport['onConflict'];
  segment_ids: string[];
  topics: ContactImport['topics'];
  size: string;
  chunk: number;
  chunk_offset: number;
  line: number;
  total: number;
  created: number;
  updated: number;
  skipped: number;
  failed: number;
  failure: string | null;
  created_at: Date;
  completed_at: Date | null;
  file_name: string | null;
}>;

const names = [
  'id',
  'team_id',
  'api_key_id',
  'actor_kind',
  'actor_id',
  'status',
  'format',
  'mapping',
  'on_conflict',
  'segment_ids',
  'topics',
  'size',
  'chunk',
  'chunk_offset',
  'line',
  'total',
  'created',
  'updated',
  'skipped',
  'failed',
  'failure',
  'created_at',
  'completed_at',
  'file_name',
];

/** The columns of an import, of the table or alias `from`. */
export function importColumns(from: string): string {
  return names.map((name) => `${from}.${name}`).join(', ');
}

export function importOf(row: ImportRow): ContactImport {
  const { total, created, updated, skipped, failed } = row;
  return {
    id: row.id,
    teamId: row.team_id,
    actor: actorOf(row),
    fileName: row.file_name,
    status: row.status,
    format: row.format,
    mapping: row.mapping,
    onConflict: row.on_conflict,
    segmentIds: row.segment_ids,
    topics: row.topics,
    size: Number(row.size),
    position: { chunk: row.chunk, offset: row.chunk_offset, line: row.line },
    counts: { total, created, updated, skipped, failed },
    failure: row.failure,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  };
}

/** The columns of a new import and their values, in the same order. */
export function newImport(contactImport: ContactImport): { readonly columns: string; readonly values: unknown[] } {
  const { api_key_id = null, actor_kind = null, actor_id = null } = actorColumns(contactImport.actor);
  const { position } = contactImport;
  const fields: readonly [name: string, value: unknown][] = [
    ['id', contactImport.id],
    ['team_id', contactImport.teamId],
    ['api_key_id', api_key_id],
    ['actor_kind', actor_kind],
    ['actor_id', actor_id],
    ['status', contactImport.status],
    ['file_name', contactImport.fileName],
    ['format', JSON.stringify(contactImport.format)],
    ['mapping', JSON.stringify(contactImport.mapping)],
    ['on_conflict', contactImport.onConflict],
    ['segment_ids', contactImport.segmentIds],
    ['topics', JSON.stringify(contactImport.topics)],
    ['size', contactImport.size],
    ['chunk', position.chunk],
    ['chunk_offset', position.offset],
    ['line', position.line],
    ['created_at', contactImport.createdAt],
    ['turn_at', contactImport.createdAt],
  ];
  return { columns: fields.map(([name]) => name).join(', '), values: fields.map(([, value]) => value) };
}
