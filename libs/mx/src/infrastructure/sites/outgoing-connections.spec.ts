import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OutgoingConnection, OutgoingConnections } from './outgoing-connections.js';

const limits = { maxOpen: 20, maxUngreeted: 10, minPerTeam: 2, patienceMs: 5_000 };
const always = (): boolean => true;

let connections: OutgoingConnections;

beforeEach(() => {
  jest.useFakeTimers();
  connections = new OutgoingConnections(limits);
});

afterEach(() => void jest.useRealTimers());

/** Requests `count` connections for a team. The array fills as they are granted. */
function ask(teamId: string, count: number, isWanted = always): OutgoingConnection[] {
  const got: OutgoingConnection[] = [];
  for (let n = 0; n < count; n++) {
    void connections
      .forSite()
      .open([teamId], isWanted)
      .then((connection) => connection && got.push(connection));
  }
  return got;
}

/** Closes the connections that were given up. */
function endGivenUp(silent: readonly OutgoingConnection[]): number {
  const givenUp = silent.filter(({ signal }) => signal.aborted);
  for (const connection of givenUp) connection.close();
  return givenUp.length;
}

describe('outgoing connections', () => {
  it('limit silent hosts to their share', async () => {
    const silent = ask('attacker', 100);
    await jest.advanceTimersByTimeAsync(0);
    expect(silent).toHaveLength(10);
    expect(connections.isCrowded).toBe(true);
  });

  it('leave each team its minimum, however many others have', async () => {
    ask('attacker', 100);
    const good = ask('good', 3);
    await jest.advanceTimersByTimeAsync(0);
    expect(good).toHaveLength(2);
    good[0]?.greeted();
    good[0]?.close();
    await jest.advanceTimersByTimeAsync(0);
    expect(good).toHaveLength(3);
  });

  it('allow hosts that have greeted us more connections than silent ones', async () => {
    const answering = ask('team', 15);
    await jest.advanceTimersByTimeAsync(0);
    for (const connection of [...answering]) connection.greeted();
    await jest.advanceTimersByTimeAsync(0);
    expect(answering).toHaveLength(15);
    expect(connections.openConnections).toBe(15);
  });

  it('give up the hosts silent for longest, but only while others wait', async () => {
    const silent = ask('team', 10);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(silent.some(({ signal }) => signal.aborted)).toBe(false);

    const next = ask('team', 3);
    await jest.advanceTimersByTimeAsync(1);
    expect(silent.map(({ signal }) => signal.aborted)).toEqual(silent.map((_, n) => n < 3));
    endGivenUp(silent);
    await jest.advanceTimersByTimeAsync(1);
    expect(next).toHaveLength(3);
    expect(connections.isCrowded).toBe(false);
  });

  it('give up no more than the number of waiting requests, counting those that are still closing', async () => {
    const silent = ask('team', 10);
    await jest.advanceTimersByTimeAsync(6_000);
    const next = ask('team', 1);
    // The connection that was given up has not closed yet, and each of these requests looks for silent hosts again.
    for (let n = 0; n < 3; n++) ask('other', 1, () => false);
    await jest.advanceTimersByTimeAsync(1);
    expect(connections.openConnections).toBe(10);
    expect(endGivenUp(silent)).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(next).toHaveLength(1);
  });

  it('work through a thousand silent hosts, ten every five seconds, and reach the host behind them', async () => {
    const silent = ask('team', 1_000);
    const answering = ask('team', 1);
    let rounds = 0;
    while (answering.length === 0 && rounds < 200) {
      await jest.advanceTimersByTimeAsync(5_001);
      endGivenUp(silent);
      await jest.advanceTimersByTimeAsync(0);
      rounds++;
    }
    expect(rounds).toBe(100);
  });

  it('skip requests that are no longer wanted', async () => {
    ask('team', 10);
    const unwanted = ask('team', 5, () => false);
    const wanted = connections.forSite().open(['other'], always);
    await jest.advanceTimersByTimeAsync(0);
    expect(unwanted).toHaveLength(0);
    expect(await wanted).toBeDefined();
  });

  it('connect to a site that several teams wait for in the earliest turn of these teams', async () => {
    const silent = ask('attacker', 100);
    await jest.advanceTimersByTimeAsync(0);
    const shared = connections.forSite();
    let charged: OutgoingConnection | undefined;
    void shared.open(['attacker'], always).then((connection) => (charged = connection));
    await jest.advanceTimersByTimeAsync(0);
    expect(charged).toBeUndefined();
    shared.alsoFor('good');
    await jest.advanceTimersByTimeAsync(0);
    expect(charged).toBeDefined();
    expect(silent).toHaveLength(10);

    // The attacker's turn for the site opens nothing more.
    charged?.close();
    while (silent.length < 100) {
      for (const connection of silent) connection.close();
      await jest.advanceTimersByTimeAsync(0);
    }
    for (const connection of silent) connection.close();
    expect([connections.openConnections, connections.isCrowded]).toEqual([0, false]);
  });
});
