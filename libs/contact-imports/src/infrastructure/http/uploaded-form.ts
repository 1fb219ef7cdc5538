import { MissingFieldError, ValidationError } from '#kernel';
import { MultipartBody, MultipartLimits } from '#http/server';
import { importLimits } from '../../domain/import-errors.js';
import { StoredUpload } from '../../application/read-header.query.js';
import { FormFields } from './import.request.js';

const limits: MultipartLimits = {
  files: ['file'],
  maxFileBytes: importLimits.maxFileBytes,
  maxFieldBytes: 256 * 1024,
  maxFields: 10,
};

const names: readonly string[] = ['column_map', 'on_conflict', 'segments', 'topics'];

export interface UploadedForm {
  readonly upload: StoredUpload;
  readonly fields: FormFields;
}

/** Keeps what arrives of the file, and removes it if the form cannot be used. */
export interface Uploads {
  store(chunks: AsyncIterable<Uint8Array>, fileName: string | null): Promise<StoredUpload>;
  discard(upload: StoredUpload): Promise<void>;
}

/** Reads the form of an import while it arrives. Unknown fields are ignored. */
export async function readForm(body: unknown, uploads: Uploads): Promise<UploadedForm> {
  if (!(body instanceof MultipartBody)) {
    throw new ValidationError('The request body must be `multipart/form-data` with a `file`.');
  }
  const fields: Record<string, string> = {};
  let upload: StoredUpload | undefined;
  try {
    for await (const part of body.parts(limits)) {
      if (part.kind === 'file') upload = await uploads.store(part.chunks, fileNameOf(part.filename));
      else if (names.includes(part.name)) fields[part.name] = part.value;
    }
  } catch (error) {
    if (upload !== undefined) await uploads.discard(upload);
    throw error;
  }
  if (upload === undefined) throw new MissingFieldError('file');
  return { upload, fields };
}

const maxFileName = 255;

/** The last part of a path that a client may send, on one line. */
function fileNameOf(name: string | undefined): string | null {
  const last = (name ?? '').split(/[\\/]/).at(-1) ?? '';
  const shown = last.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ').trim();
  return shown === '' ? null : [...shown].slice(0, maxFileName).join('');
}
