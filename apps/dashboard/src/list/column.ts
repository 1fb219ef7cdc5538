import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  /** A track of the grid: `minmax(160px, 2fr)`, `120px`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  /** Text for the export as CSV. A column without it is not exported. */
  readonly csv?: (row: Row) => string;
  /** Hidden until it is chosen. */
  readonly optional?: boolean;
  /** Cannot be hidden. */
  readonly fixed?: boolean;
  readonly align?: 'start' | 'end';
}

/** Something that is done with all selected rows. */
export interface BulkAction<Row> {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly dangerous?: boolean;
  /** For these rows only; the action is hidden if none is left. */
  readonly accepts?: (row: Row) => boolean;
  /** The selection is cleared when it has ended well. */
  readonly run: (rows: readonly Row[]) => Promise<unknown> | void;
}
