import { DomainError, ValidationError } from '#kernel';
import { ParserThreads, UnreadableError } from '#platform/parsing';
import { Injectable } from '@nestjs/common';
import { CheckedDocument, ComposedDocument, DocumentComposer } from '../../application/ports/document-composer.port.js';
import { DocumentTooLargeError } from '../../domain/document/parse-document.js';
import { ImportFormat, importTooLarge, maxImportedBytes } from '../../domain/importing/import-html.js';
import { SignedAssetLinks } from '../assets/signed-asset-links.js';
import { documentBytes } from './document-bytes.js';
import { importParser } from './import.parser.js';
import { documentParser, DocumentRefusal, RenderingOrder } from './document.parser.js';

/** Composes in a parser thread, because a document of a megabyte takes 200 to 300 ms, and some take seconds. */
@Injectable()
export class ThreadedDocumentComposer extends DocumentComposer {
  constructor(
    private readonly threads: ParserThreads,
    private readonly links: SignedAssetLinks,
  ) {
    super();
  }

  compose(teamId: string, given: unknown, look: Omit<RenderingOrder, 'assets'>): Promise<ComposedDocument> {
    return this.read(teamId, given, { ...look, assets: this.links.ingredients });
  }

  async check(teamId: string, given: unknown): Promise<CheckedDocument> {
    const { document, notes } = await this.read(teamId, given, null);
    return { document, notes };
  }

  async import(teamId: string, format: ImportFormat, text: string): Promise<CheckedDocument> {
    if (text.length > maxImportedBytes) throw importTooLarge(format);
    try {
      const task = { owner: teamId, bytes: Buffer.from(text), options: format };
      const reading = await this.threads.run(importParser, task);
      if ('refusal' in reading) throw errorOf(reading.refusal);
      return reading;
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      throw new ValidationError(`The \`${format}\` takes too much time or memory to read.`);
    }
  }

  private async read(teamId: string, given: unknown, order: RenderingOrder | null): Promise<ComposedDocument> {
    const bytes = documentBytes(given);
    try {
      const reading = await this.threads.run(documentParser, { owner: teamId, bytes, options: order });
      if ('refusal' in reading) throw errorOf(reading.refusal);
      return reading;
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      throw new ValidationError('The `content` takes too much time or memory to render.');
    }
  }
}

function errorOf({ kind, code, message }: DocumentRefusal): DomainError {
  if (kind === 'too_large') return new DocumentTooLargeError();
  return kind === 'invalid' && code === 'validation_error'
    ? new ValidationError(message)
    : new DomainError(kind, code, message);
}
