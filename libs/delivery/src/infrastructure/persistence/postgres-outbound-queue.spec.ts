import { expect, it } from '@jest/globals';
import { QueuedRecipient } from '#emails';
import { LaneSignal } from '../../application/ports/lane-signal.port.js';
import { InMemoryDeliveryTransport } from '../transport/in-memory-delivery-transport.js';
import { PostgresOutboundQueue } from './postgres-outbound-queue.js';

it('mail that is accepted together wakes its lane for each team that sent some of it, once', () => {
  const woken: string[] = [];
  const signal: LaneSignal = { wake: (lane, teamId) => void woken.push(`${lane} for ${teamId}`) };
  const queue = new PostgresOutboundQueue(new InMemoryDeliveryTransport(), signal);
  const of = (teamId: string): QueuedRecipient => ({ address: 'a@b.test', teamId }) as QueuedRecipient;

  queue.wake([of('first'), of('second'), of('first')]);

  expect(woken).toEqual(['memory for first', 'memory for second']);
});
