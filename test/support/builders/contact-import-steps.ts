import { TestProgram } from '../programs/program.js';
import { until } from '../runner/until.js';

export interface ShownImport {
  readonly id: string;
  readonly status: string;
  readonly file_name: string | null;
  readonly progress: number;
  readonly failure: string | null;
  readonly counts: Readonly<Record<'total' | 'created' | 'updated' | 'skipped' | 'failed', number>>;
}

type Requester = Pick<TestProgram, 'request'>;

/** Sends the form of an import: the file, and the other fields as JSON if they are no texts. */
export async function postImport(
  program: Requester,
  file: string | Uint8Array,
  fields: Readonly<Record<string, unknown>> = {},
  fileName = 'import.csv',
): Promise<[status: number, body: Record<string, unknown>]> {
  const form = new FormData();
  const bytes = typeof file === 'string' ? file : new Uint8Array(file);
  form.append('file', new Blob([bytes], { type: 'text/csv' }), fileName);
  for (const [name, value] of Object.entries(fields)) {
    form.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const response = await program.request('/contacts/imports', { method: 'POST', body: form });
  return [response.status, (await response.json()) as Record<string, unknown>];
}

export async function shownImport(program: Requester, id: string): Promise<ShownImport> {
  return (await (await program.request(`/contacts/imports/${id}`)).json()) as ShownImport;
}

/** Imports a file and waits for its end. */
export async function imported(
  program: Requester,
  file: string | Uint8Array,
  fields: Readonly<Record<string, unknown>> = {},
  fileName?: string,
): Promise<ShownImport> {
  const [status, { id, message }] = await postImport(program, file, fields, fileName);
  if (status !== 201) throw new Error(`The import was refused: ${String(message)}`);
  return ended(program, id as string);
}

export function ended(program: Requester, id: string, maxMs = 60_000): Promise<ShownImport> {
  return until(async () => {
    const shown = await shownImport(program, id);
    return ['completed', 'failed'].includes(shown.status) ? shown : undefined;
  }, maxMs);
}
