import { ApiError } from '../api/error';
import { send } from '../api/client';
import type { UploadedImage } from './email-editor';

export interface StoredImage {
  readonly id: string;
  readonly url: string;
  readonly name: string;
  readonly alt: string;
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly created_at: string;
}

/** Sends a file to the library of the team. The service makes it smaller, and refuses what is no image. */
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
