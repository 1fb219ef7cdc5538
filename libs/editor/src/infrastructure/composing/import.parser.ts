import { DomainError } from '#kernel';
import type { Parser } from '#platform/parsing';
import type { CheckedDocument } from '../../application/ports/document-composer.port.js';
import { type ImportFormat, importHtml } from '../../domain/importing/import-html.js';
import { importMjml } from '../../domain/importing/import-mjml.js';
import type { DocumentRefusal } from './document.parser.js';

export type ImportReading = CheckedDocument | { readonly refusal: DocumentRefusal };

export function parse(bytes: Uint8Array, format: ImportFormat): ImportReading {
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    const { document, notes } = format === 'mjml' ? importMjml(text) : importHtml(text);
    return { document: JSON.stringify(document), notes };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { kind, code, message } = error;
    return { refusal: { kind, code, message } };
  }
}

/** Emails are imported now and then. A megabyte of elements takes one to two seconds. */
export const importParser: Parser<ImportFormat, ImportReading> = {
  url: import.meta.url,
  parse,
  maxInlineBytes: 0,
};
