import { MissingFieldError, storableText, ValidationError } from '#kernel';
import { jsonObject, MultipartBody, MultipartLimits } from '#http/server';
import { Example, Field, OmitOf, OptionalField, Shape } from '#http/openapi';
import { imageLimits, ImageTexts } from '../../domain/image.js';

/** Body of `POST /images`, as `multipart/form-data`. */
@Shape('A form with an image. The other fields are texts.')
@Example('plain', 'An image', { file: 'GIF89a…', alt: 'The quay at night' })
export class AddImageRequest {
  @Field(`PNG, JPEG, GIF, WebP or AVIF, at most ${imageLimits.maxUploadBytes / 1024 ** 2} MB.`, { format: 'binary' })
  file!: string;
  @OptionalField('Its name in the library. Default: the name of the file.', { maxLength: imageLimits.maxNameLength })
  name?: string;
  @OptionalField('Describes the image for people who cannot see it.', { maxLength: imageLimits.maxAltLength })
  alt?: string;
}

@Shape('What is known of an image.', { name: 'Its name in the library.' })
@Example('alt', 'What it shows', { alt: 'The quay at night' })
export class UpdateImageRequest extends OmitOf(AddImageRequest, 'file') {}

const limits: MultipartLimits = {
  files: ['file'],
  maxFileBytes: imageLimits.maxUploadBytes,
  maxFieldBytes: 4 * 1024,
  maxFields: 4,
};

/** Reads the form of an upload. Unknown fields are ignored. */
export async function readImageForm(
  body: unknown,
): Promise<{ readonly bytes: Uint8Array; readonly texts: ImageTexts }> {
  if (!(body instanceof MultipartBody)) {
    throw new ValidationError('The request body must be `multipart/form-data` with a `file`.');
  }
  const texts: { name?: string; alt?: string } = {};
  let bytes: Uint8Array | undefined;
  let filename: string | undefined;
  for await (const part of body.parts(limits)) {
    if (part.kind === 'field') {
      if (part.name === 'name' || part.name === 'alt') texts[part.name] = part.value;
      continue;
    }
    filename = part.filename;
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of part.chunks) {
      pieces.push(chunk);
      await body.keep((length += chunk.length));
    }
    bytes = new Uint8Array(Buffer.concat(pieces));
  }
  if (bytes === undefined || bytes.length === 0) throw new MissingFieldError('file');
  return { bytes, texts: { ...texts, name: texts.name ?? filename } };
}

export function decodeImageTexts(body: unknown): ImageTexts {
  const { name, alt } = jsonObject(body);
  return { ...textIn('name', name), ...textIn('alt', alt) };
}

function textIn(field: 'name' | 'alt', value: unknown): ImageTexts {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string') throw new ValidationError(`The \`${field}\` field must be a string.`);
  return { [field]: value };
}

/** Of a list. Empty ones search nothing. */
export function decodeSearch(given: unknown): string | undefined {
  if (given === undefined || given === '') return undefined;
  if (typeof given !== 'string' || given.length > 100) {
    throw new ValidationError('The `search` may have at most 100 characters.');
  }
  return storableText(given);
}
