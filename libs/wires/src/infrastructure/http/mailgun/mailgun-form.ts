import { MultipartBody } from '#http/server';
import { DomainError, ValidationError } from '#kernel';

const mebibyte = 1024 * 1024;
/** As much as an email may have, its attachments in base64 included. */
const maxFormBytes = 40 * mebibyte;
const maxFieldBytes = 8 * mebibyte;
/** 1,000 recipients may come as a field each. */
const maxFields = 1_200;
const maxFiles = 100;
const fileNames = ['attachment', 'inline', 'message'];

export interface FormFile {
  readonly name: string;
  readonly filename: string | undefined;
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** The fields of a form, of which each may come several times. */
export class MailForm {
  private readonly texts = new Map<string, string[]>();
  readonly files: FormFile[] = [];

  /** Reads the whole form. All of it together is bounded, and what is held is charged to the team. */
  static async read(body: unknown): Promise<MailForm> {
    if (!(body instanceof MultipartBody)) {
      throw new ValidationError('The request body must be a form: `multipart/form-data` or urlencoded.');
    }
    const form = new MailForm();
    let held = 0;
    const hold = async (bytes: number): Promise<void> => {
      held += bytes;
      if (held > maxFormBytes) throw tooLarge();
      await body.keep(held);
    };
    const limits = { files: fileNames, maxFiles, maxFields, maxFieldBytes };
    for await (const part of body.parts({ ...limits, maxFileBytes: maxFormBytes, maxBytes: maxFormBytes + mebibyte })) {
      if (part.kind === 'field') {
        await hold(part.value.length);
        form.add(part.name, part.value);
        continue;
      }
      const chunks: Uint8Array[] = [];
      for await (const chunk of part.chunks) {
        await hold(chunk.length);
        chunks.push(chunk);
      }
      const { name, filename, contentType } = part;
      form.files.push({ name, filename, contentType, content: Buffer.concat(chunks) });
    }
    return form;
  }

  /** Fields that did not come as a form. */
  static of(fields: Iterable<readonly [name: string, value: string]>): MailForm {
    const form = new MailForm();
    for (const [name, value] of fields) form.add(name, value);
    return form;
  }

  get names(): readonly string[] {
    return [...this.texts.keys()];
  }

  all(name: string): readonly string[] {
    return this.texts.get(name) ?? [];
  }

  /** The first value. Empty counts as absent. */
  one(name: string): string | undefined {
    return this.all(name).find((value) => value !== '');
  }

  /** `yes`, `true`, `no` or `false`. */
  choice(name: string): boolean | undefined {
    const text = this.one(name)?.toLowerCase();
    if (text === undefined) return undefined;
    if (['yes', 'true', '1'].includes(text)) return true;
    if (['no', 'false', '0'].includes(text)) return false;
    throw new ValidationError(`\`${name}\` must be \`yes\` or \`no\`.`);
  }

  /** For the comparison with a repeated request. */
  fingerprinted(hash: (bytes: Uint8Array) => string): object {
    const files = this.files.map(({ name, filename, content }) => ({ name, filename, hash: hash(content) }));
    return { fields: Object.fromEntries(this.texts), files };
  }

  private add(name: string, value: string): void {
    if (value.includes('\0') || !name.isWellFormed()) throw new ValidationError('The form must not contain NUL.');
    const known = this.texts.get(name);
    if (known === undefined) this.texts.set(name, [value.toWellFormed()]);
    else known.push(value.toWellFormed());
  }
}

function tooLarge(): DomainError {
  return new DomainError('too_large', 'validation_error', 'The message is larger than 40 MB.');
}
