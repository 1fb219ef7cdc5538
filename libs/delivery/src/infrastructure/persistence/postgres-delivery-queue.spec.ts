import { expect, it } from '@jest/globals';
import { QueuedRecipient } from '#emails';
import { LaneSignal } from '../../application/ports/lanes.port.js';
import { LanesByDestination } from '../lanes/lanes-by-destination.js';
import { PostgresOutboundQueue } from './postgres-delivery-queue.js';

it('mail accepted together wakes its lane once for each of its teams', () => {
  const woken: string[] = [];
  const wake = (lane: string, teamId: string): void => void woken.push(`${lane} for ${teamId}`);
  const signal = { wake, wakeHere: () => undefined } satisfies LaneSignal;
  const queue = new PostgresOutboundQueue(new LanesByDestination('relay', []), signal);
  const of = (teamId: string): QueuedRecipient =>
    ({ address: 'a@b.test', teamId, region: 'eu-west-1' }) as QueuedRecipient;

  queue.wake([of('first'), of('second'), of('first')]);

  expect(woken).toEqual(['eu-west-1/default/relay for first', 'eu-west-1/default/relay for second']);
});
