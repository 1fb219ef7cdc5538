import { ConsentingContacts, ContactValues } from '#audience';
import { SendMailing } from '#emails';
import { Clock } from '#kernel';
import { Database } from '#postgres/database';
import { OpenMailings } from '../../../libs/broadcasts/src/application/open-mailings.js';
import { BroadcastRepository } from '../../../libs/broadcasts/src/application/ports/broadcast-repository.port.js';
import { FanOutBroadcasts } from '../../../libs/broadcasts/src/application/send-broadcasts.use-case.js';
import { PostgresBroadcastRuns } from '../../../libs/broadcasts/src/infrastructure/persistence/fan-out/postgres-broadcast-runs.js';
import { TestProgram } from '../programs/program.js';

/** The fan-out on PostgreSQL, a step at a time: the program has no worker. */
export class FanOutByHand {
  readonly database: Database;
  readonly runs: PostgresBroadcastRuns;
  readonly run: FanOutBroadcasts;

  constructor({ postrider: { app } }: TestProgram) {
    this.database = app.get(Database);
    const clock = app.get(Clock);
    const repository = app.get(BroadcastRepository, { strict: false });
    const sendMailing = app.get(SendMailing, { strict: false });
    this.runs = new PostgresBroadcastRuns(this.database);
    this.run = new FanOutBroadcasts(
      repository,
      this.runs,
      new OpenMailings(repository, app.get(ContactValues, { strict: false }), sendMailing, clock),
      app.get(ConsentingContacts, { strict: false }),
      sendMailing,
      this.database,
      clock,
    );
  }
}
