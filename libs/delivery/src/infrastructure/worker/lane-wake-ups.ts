/** A lane is given to a worker through the queue once per so long; what comes in between only tells the one that has it. */
const restMs = 1_000;
/** Pokes are gathered for so long, over all lanes. */
const gatherMs = 10;
/**
 * Lanes that one team has started within a second; more are found by the sweep. The jobs of all teams are done one after the
 * other, some 1,500 a second, so that one team's must not fill the queue.
 */
const maxStartsPerTeam = 200;

export interface WakeUpWays {
  /** Has the lane taken by a worker, whichever comes first. Dear: a job. */
  start(lane: string, teamId: string): void;
  /** Reaches whoever has one of the lanes, and nobody where nobody has. Cheap: one statement for all. */
  poke(lanes: readonly string[]): void;
}

/**
 * Wakes lanes in other processes. The first mail of a lane starts it; the mail after it finds the lane taken, and a poke
 * is enough: 28 ms from accepted to delivered between two processes, where a job per 100 ms and lane gave 66 ms.
 */
export class LaneWakeUps {
  private readonly resting = new Map<string, { poked: boolean }>();
  private readonly starts = new Map<string, number>();
  private readonly toPoke = new Set<string>();
  private gathering: NodeJS.Timeout | undefined;

  constructor(private readonly ways: WakeUpWays) {}

  wake(lane: string, teamId: string): void {
    const rest = this.resting.get(lane);
    if (rest === undefined) return this.start(lane, teamId);
    rest.poked = true;
    this.toPoke.add(lane);
    this.gathering ??= setTimeout(() => this.poke(), gatherMs);
  }

  private start(lane: string, teamId: string): void {
    if (!this.maySpend(teamId)) return;
    this.ways.start(lane, teamId);
    this.rest(lane, teamId);
  }

  private maySpend(teamId: string): boolean {
    if (this.starts.size === 0) setTimeout(() => this.starts.clear(), restMs).unref();
    const starts = (this.starts.get(teamId) ?? 0) + 1;
    this.starts.set(teamId, starts);
    return starts <= maxStartsPerTeam;
  }

  /** Whoever was poked may not have been there: where pokes were sent the lane is started once more at the end. */
  private rest(lane: string, teamId: string): void {
    const rest = { poked: false };
    this.resting.set(lane, rest);
    setTimeout(() => {
      this.resting.delete(lane);
      if (rest.poked) this.start(lane, teamId);
    }, restMs).unref();
  }

  private poke(): void {
    this.gathering = undefined;
    this.ways.poke([...this.toPoke]);
    this.toPoke.clear();
  }
}
