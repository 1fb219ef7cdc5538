import { ApiError } from '../api/error';
import { send, type Schema } from '../api/client';
import type { UploadedImage } from './email-editor';

export type StoredImage = Schema<'ImageResponse'>;

/** Sends a file to the library of the team. The service makes it smaller, and refuses anything else. */
export async function uploadImage(file: File): Promise<UploadedImage> {
  const image = await storeImage(file);
  return { src: image.url, alt: image.alt, width: image.width };
}

export async function storeImage(file: File): Promise<StoredImage> {
  const form = new FormData();
  form.append('file', file, file.name === '' ? 'image' : file.name);
  const response = await send(new Request('/images', { method: 'POST', body: form }));
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw ApiError.of(response.status, body);
  return body as StoredImage;
}
