/** A row that names an address, without what it holds. */
export interface FoundRow {
  readonly id: string;
  readonly bytes: number;
}

/** Bytes of rows that are read with one statement. A single larger row is read alone. */
const maxGroupBytes = 4 * 1024 * 1024;

/** The ids of the rows, in groups that may be in memory at once. */
export function groupsOf(rows: readonly FoundRow[]): string[][] {
  const groups: string[][] = [];
  let held = Infinity;
  for (const { id, bytes } of rows) {
    held += bytes;
    if (held <= maxGroupBytes) {
      groups.at(-1)?.push(id);
    } else {
      groups.push([id]);
      held = bytes;
    }
  }
  return groups;
}
