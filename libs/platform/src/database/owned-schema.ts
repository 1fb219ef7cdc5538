import { PartitionedTable } from './daily-partitions.js';

/**
 * What one lib has in the database. A lib offers its own through its front door, and the program lists them all.
 *
 * The statements of a lib touch its own tables, and the views that others publish for reading. A test holds this.
 */
export interface OwnedSchema {
  /** The folder of the lib below `libs`. */
  readonly owner: string;
  /** The tables that migrations made for this lib. */
  readonly tables: readonly string[];
  /** Those of `tables` that are partitioned by day. Retention drops the tables of a day in this order. */
  readonly partitioned?: readonly PartitionedTable[];
  /** Views, functions and triggers, in the order in which they are installed. */
  readonly definitions?: readonly SqlDefinition[];
  /** Those of `tables` on whose inserts other libs may have triggers. */
  readonly observable?: readonly string[];
}

/** A view, a function or a trigger, whose whole text stands in a file. */
export interface SqlDefinition {
  /** Name of the lib and of the file: `webhooks/tell-webhooks.function.sql`. */
  readonly name: string;
  readonly file: URL;
}

/** The definitions of a lib that lie in the folder `sql` beside the module with this `import.meta.url`. */
export function sqlDefinitions(owner: string, moduleUrl: string, files: readonly string[]): SqlDefinition[] {
  return files.map((file) => ({ name: `${owner}/${file}`, file: new URL(`./sql/${file}`, moduleUrl) }));
}
