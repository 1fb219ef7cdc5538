import { csvLine } from '../logic/csv';
import type { Column } from './column';
import type { ReadPage } from './use-pages';

/** More than this is work for the API, not for a browser. */
const maxRows = 100_000;

interface Export<Row> {
  readonly columns: readonly Column<Row>[];
  readonly readPage: ReadPage<Row>;
  readonly fileName: string;
  readonly onProgress: (rows: number) => void;
}

/** Reads the whole filtered list and offers it as a file. */
export async function exportCsv<Row extends { readonly id: string }>({
  columns,
  readPage,
  fileName,
  onProgress,
}: Export<Row>): Promise<{ readonly count: number; readonly isWhole: boolean }> {
  const exported = columns.filter(({ csv }) => csv !== undefined);
  // The mark makes Excel read UTF-8.
  const parts = ['\ufeff', csvLine(['id', ...exported.map(({ label }) => label)])];
  let after: string | undefined;
  let count = 0;
  for (;;) {
    const { data, has_more, next } = await readPage({ limit: 100, after });
    for (const row of data) parts.push(csvLine([row.id, ...exported.map(({ csv }) => csv?.(row) ?? '')]));
    count += data.length;
    onProgress(count);
    after = next ?? data.at(-1)?.id;
    if (!has_more || after === undefined) {
      download(parts, fileName);
      return { count, isWhole: true };
    }
    if (count >= maxRows) {
      download(parts, fileName);
      return { count, isWhole: false };
    }
  }
}

function download(parts: string[], fileName: string): void {
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${fileName}-${new Date().toISOString().slice(0, 10)}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
