import { expect, it } from '@jest/globals';
import { Notice, Notices } from '#kernel';
import { Config } from '#platform/config';
import { Timers } from '#platform/timers';
import { FakeClock } from '../../../../test/support/fakes/fake-clock.js';
import { DoctorCheck, DoctorFinding, green, red } from './check.js';
import { DoctorRounds } from './doctor-rounds.js';
import { RunDoctor } from './run-doctor.js';

class Check extends DoctorCheck {
  findings: readonly DoctorFinding[] = [green('is fine')];

  constructor(
    readonly name: string,
    override readonly isWatched = true,
  ) {
    super();
  }

  async run(): Promise<readonly DoctorFinding[]> {
    return this.findings;
  }
}

const broken = [green('is fine', 'one'), red('is broken', 'Mend it.', 'two')];

function rounds(...all: Check[]): { readonly notices: Map<string, Notice>; readonly round: () => Promise<string[]> } {
  const notices = new Map<string, Notice>();
  const announce = async (notice: Notice): Promise<void> => {
    if (!notices.has(notice.key)) notices.set(notice.key, notice);
  };
  const clock = new FakeClock();
  const one = new DoctorRounds(
    new RunDoctor({ all }),
    { announce } as Notices,
    clock,
    { values: {} } as Config,
    {} as Timers,
  );
  const round = async (): Promise<string[]> => {
    await one.round();
    return [...notices.values()].map(({ subject }) => subject.replace(/^Postrider on \S+?:? (?=needs|Clock)/, ''));
  };
  return { notices, round };
}

it('tells once of what is red twice running, and when it has ended', async () => {
  const [clock, other] = [new Check('Clock'), new Check('Queue')];
  const { notices, round } = rounds(clock, other);
  expect(await round()).toEqual([]);
  clock.findings = broken;
  expect(await round()).toEqual([]);
  expect(await round()).toEqual(['needs attention: Clock']);
  const [notice] = notices.values();
  expect(notice?.text).toContain('FAIL  Clock: two is broken\n      Mend it.\n');
  expect(notice?.text).not.toContain('is fine');
  expect(await round()).toHaveLength(1);
  clock.findings = [];
  expect(await round()).toEqual(['needs attention: Clock', 'Clock in order again']);
  expect(await round()).toHaveLength(2);
});

it('says nothing of what was red for a moment, or is not watched', async () => {
  const [passing, unwatched] = [new Check('Clock'), new Check('Domains', false)];
  unwatched.findings = broken;
  const { round } = rounds(passing, unwatched);
  for (const findings of [broken, [], broken, []]) {
    passing.findings = findings;
    expect(await round()).toEqual([]);
  }
});
