import { Timers } from '#platform/timers';
import { BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { NoteEvents } from '../../application/note-events.use-case.js';

const pauseMs = 1_000;

/** Writes down once a second which events this process has seen, and at its stop. */
@Injectable()
export class SeenEventsWorker implements BeforeApplicationShutdown {
  constructor(
    timers: Timers,
    private readonly events: NoteEvents,
  ) {
    timers.every(pauseMs, 'writing down which events are sent', () => events.flush());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.events.flush().catch(() => undefined);
  }
}
