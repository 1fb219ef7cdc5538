import { answer, api, send } from '../../api/client';
import type { Attachment, Email } from './email-queries';

/** Sends the email once more as a new one, with its attachments, and returns the new id. */
export async function resend(email: Email, attachments: readonly Attachment[]): Promise<string> {
  const files = [];
  for (const { filename, content_type, content_id, download_url } of attachments) {
    const content = await contentOf(download_url);
    files.push({ filename: filename ?? 'attachment', content, content_type, content_id: content_id ?? undefined });
  }
  const { id } = await answer(
    api.POST('/emails', {
      params: { header: { 'idempotency-key': crypto.randomUUID() } },
      body: {
        from: email.from,
        to: [...email.to],
        subject: email.subject,
        cc: email.cc ?? undefined,
        bcc: email.bcc ?? undefined,
        reply_to: email.reply_to ?? undefined,
        html: email.html ?? undefined,
        text: email.text ?? undefined,
        tags: email.tags,
        attachments: files.length === 0 ? undefined : files,
      } as never,
    }),
  );
  return id;
}

async function contentOf(url: string): Promise<string> {
  const { pathname, search } = new URL(url);
  const response = await send(new Request(`${pathname}${search}`));
  return base64Of(await response.arrayBuffer());
}

/** A file of this computer, as the API takes it. */
export async function attachmentOf(file: File): Promise<object> {
  const content = base64Of(await file.arrayBuffer());
  return { filename: file.name, content, content_type: file.type || undefined };
}

function base64Of(buffer: ArrayBuffer): string {
  const bytes = new Uint8Array(buffer);
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(pieces.join(''));
}
