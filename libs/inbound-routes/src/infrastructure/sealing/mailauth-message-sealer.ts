import { ParserThreads, UnreadableError } from '#platform/parsing';
import { Injectable } from '@nestjs/common';
import { MessageSealer, SealRequest } from '../../application/ports/message-sealer.port.js';
import { sealParser } from './seal.parser.js';

@Injectable()
export class MailauthMessageSealer extends MessageSealer {
  constructor(private readonly threads: ParserThreads) {
    super();
  }

  async seal({ message, key, results, chain, owner }: SealRequest): Promise<Uint8Array> {
    const { domainName: signingDomain, selector, privateKey } = key;
    const options = { signingDomain, selector, privateKey, authResults: results, cv: chain };
    try {
      return await this.threads.run(sealParser, { owner, bytes: message, options });
    } catch (error) {
      if (error instanceof UnreadableError) return new Uint8Array();
      throw error;
    }
  }
}
