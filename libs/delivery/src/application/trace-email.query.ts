import { Injectable } from '@nestjs/common';
import { EmailTrace } from '../domain/recipient-trace.js';
import { DeliveryTraces } from './ports/delivery-traces.port.js';

@Injectable()
export class TraceEmail {
  constructor(private readonly traces: DeliveryTraces) {}

  execute(teamId: string, emailId: string): Promise<EmailTrace | undefined> {
    return this.traces.find(teamId, emailId);
  }
}
