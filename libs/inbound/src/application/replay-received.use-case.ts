import { Principal } from '#identity';
import { found } from '#kernel';
import { Injectable } from '@nestjs/common';
import { ReceivedEmails } from './ports/received-emails.port.js';

/** Sends `email.received` again, as a new message to every webhook endpoint that asks for it now. */
@Injectable()
export class ReplayReceived {
  constructor(private readonly emails: ReceivedEmails) {}

  async execute(principal: Principal, id: string): Promise<void> {
    principal.require('emails:write');
    await this.emails.announce(found('Email', await this.emails.find(principal.teamId, id)));
  }
}
