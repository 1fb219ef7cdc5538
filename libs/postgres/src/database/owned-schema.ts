import { PartitionedTable } from './daily-partitions.js';

/**
 * The database objects of one lib. A lib exports its schema through its front door, and the program lists all of them.
 *
 * The statements of a lib use only its own tables and the published views of other libs. A test checks this.
 */
export interface OwnedSchema {
  /** The folder of the lib below `libs`. */
  readonly owner: string;
  /** The tables that migrations created for this lib. */
  readonly tables: readonly string[];
  /** The tables that are partitioned by day. Retention drops the partitions of a day in this order. */
  readonly partitioned?: readonly PartitionedTable[];
  /** Views, functions and triggers, in the order in which they are installed. */
  readonly definitions?: readonly SqlDefinition[];
  /** The tables on whose inserts and updates other libs may have triggers. */
  readonly observable?: readonly string[];
}

/** A view, a function or a trigger. Its whole text is in a file. */
export interface SqlDefinition {
  /** Name of the lib and of the file: `webhooks/tell-webhooks.function.sql`. */
  readonly name: string;
  readonly file: URL;
}

/** The definitions of a lib. Their files are in the folder `sql` beside the module with this `import.meta.url`. */
export function sqlDefinitions(owner: string, moduleUrl: string, files: readonly string[]): SqlDefinition[] {
  return files.map((file) => ({ name: `${owner}/${file}`, file: new URL(`./sql/${file}`, moduleUrl) }));
}

/** Tables that no feature owns. */
export const sharedSchema: OwnedSchema = {
  owner: 'postgres',
  tables: ['installed_definitions', 'event_consumers', 'team_events'],
  partitioned: [{ name: 'team_events', storage: 'fillfactor = 100' }],
  definitions: sqlDefinitions('postgres', import.meta.url, ['published-team-events.view.sql']),
  observable: ['team_events'],
};
