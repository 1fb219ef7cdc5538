import { ContactValues, FixedAudience } from '#audience';
import { SendMailing } from '#emails';
import { Clock } from '#kernel';
import { Database } from '#platform/database';
import { DecideRest } from '../../libs/broadcasts/src/application/fan-out/decide-rest.use-case.js';
import { FixAudience } from '../../libs/broadcasts/src/application/fan-out/fix-audience.use-case.js';
import { OpenMailings } from '../../libs/broadcasts/src/application/fan-out/open-mailings.js';
import { RunBroadcasts } from '../../libs/broadcasts/src/application/fan-out/run-broadcasts.use-case.js';
import { SendSlice } from '../../libs/broadcasts/src/application/fan-out/send-slice.use-case.js';
import { PostgresBroadcastRuns } from '../../libs/broadcasts/src/infrastructure/persistence/fan-out/postgres-broadcast-runs.js';
import { PostgresLongWork } from '../../libs/broadcasts/src/infrastructure/persistence/fan-out/postgres-long-work.js';
import { PostgresTimeZones } from '../../libs/broadcasts/src/infrastructure/persistence/fan-out/postgres-time-zones.js';
import { PostgresBroadcastRepository } from '../../libs/broadcasts/src/infrastructure/persistence/postgres-broadcast-repository.js';
import { TestProgram } from './program.js';

/** The fan-out on PostgreSQL, a step at a time: the program has no worker. */
export class FanOutByHand {
  readonly database: Database;
  readonly runs: PostgresBroadcastRuns;
  readonly fixAudience: FixAudience;
  readonly sendSlice: SendSlice;
  readonly run: RunBroadcasts;

  constructor({ postrider: { app } }: TestProgram) {
    this.database = app.get(Database);
    const clock = app.get(Clock);
    const repository = new PostgresBroadcastRepository(this.database);
    const audience = app.get(FixedAudience, { strict: false });
    const sendMailing = app.get(SendMailing, { strict: false });
    this.runs = new PostgresBroadcastRuns(this.database);
    this.fixAudience = new FixAudience(
      repository,
      this.runs,
      audience,
      new PostgresTimeZones(this.database),
      new PostgresLongWork(this.database),
      clock,
    );
    const mailings = new OpenMailings(repository, app.get(ContactValues, { strict: false }), sendMailing, clock);
    this.sendSlice = new SendSlice(mailings, this.runs, audience, sendMailing, this.database, clock);
    const decideRest = new DecideRest(repository, this.runs, clock);
    this.run = new RunBroadcasts(this.runs, this.fixAudience, this.sendSlice, decideRest, sendMailing, clock);
  }
}
