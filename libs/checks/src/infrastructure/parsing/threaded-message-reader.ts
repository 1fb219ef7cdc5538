import { Injectable } from '@nestjs/common';
import { OwnedDomains } from '#domains';
import { dkimKeyNames } from '#mime';
import { ParserThreads, UnreadableError } from '#platform/parsing';
import { MessageReader } from '../../application/ports/check-readers.port.js';
import { MessageFacts, UncheckableError } from '../../domain/message-facts.js';
import { messageFactsParser } from './message-facts.parser.js';

/** Mail of ours has one or two signatures; a submitted message may bring more of its own. */
const maxKeys = 10;
const keyLabel = '._domainkey.';

/** Reads messages in a parser thread, in the turn of their team. */
@Injectable()
export class ThreadedMessageReader extends MessageReader {
  constructor(
    private readonly owned: OwnedDomains,
    private readonly parsers: ParserThreads,
  ) {
    super();
  }

  async read(bytes: Uint8Array, teamId: string): Promise<MessageFacts> {
    const keys = await this.keysOf(dkimKeyNames(bytes, maxKeys) ?? []);
    try {
      const facts = await this.parsers.run(messageFactsParser, { owner: teamId, bytes, options: { keys } });
      if ('unreadable' in facts) throw new UncheckableError(facts.unreadable);
      return facts;
    } catch (error) {
      if (error instanceof UnreadableError) throw new UncheckableError('it takes too much time or memory to read');
      throw error;
    }
  }

  private async keysOf(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const keys = new Map<string, string>();
    for (const name of names) {
      const at = name.indexOf(keyLabel);
      const record = await this.owned.dkimRecord(name.slice(0, at), name.slice(at + keyLabel.length));
      if (record !== undefined) keys.set(name, record);
    }
    return keys;
  }
}
