import { ParserThreads, UnreadableError } from '#platform/parsing';
import { Injectable } from '@nestjs/common';
import { MessageTexts } from '../../application/ports/message-texts.port.js';
import { receivedBodyParser } from './received-body.parser.js';

@Injectable()
export class ParsedMessageTexts extends MessageTexts {
  constructor(private readonly parsers: ParserThreads) {
    super();
  }

  async textOf(content: Uint8Array, owner: string): Promise<string> {
    try {
      const options = { wanted: 'body', format: 'cid' } as const;
      const { text, textOfHtml } = await this.parsers.run(receivedBodyParser, { owner, bytes: content, options });
      return text === null ? (textOfHtml ?? '') : Buffer.from(text).toString('utf8');
    } catch (error) {
      if (error instanceof UnreadableError) return '';
      throw error;
    }
  }
}
