/** A lane is given to a worker through the queue once per so long; what comes in between only tells the one that has it. */
const restMs = 1_000;
/** Pokes are gathered for so long, over all lanes. */
const gatherMs = 10;
/**
 * Lanes that one team has started within a second; more are found by the sweep. The jobs of all teams are done one after the
 * other, some 1,500 a second, so that one team's must not fill the queue.
 */
const maxStartsPerTeam = 200;
/** Teams that are remembered for a lane while it rests. */
const maxAskers = 16;

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
  /** The teams that asked for a lane while it rests. */
  private readonly resting = new Map<string, Set<string>>();
  private readonly starts = new Map<string, number>();
  private readonly toPoke = new Set<string>();
  private gathering: NodeJS.Timeout | undefined;

  constructor(private readonly ways: WakeUpWays) {}

  wake(lane: string, teamId: string): void {
    const askers = this.resting.get(lane);
    if (askers === undefined) return void this.start(lane, teamId);
    if (askers.size < maxAskers) askers.add(teamId);
    this.toPoke.add(lane);
    this.gathering ??= setTimeout(() => this.poke(), gatherMs);
  }

  /** False where the team may start no more for now. */
  private start(lane: string, teamId: string): boolean {
    if (!this.maySpend(teamId)) return false;
    this.ways.start(lane, teamId);
    this.rest(lane, teamId);
    return true;
  }

  private maySpend(teamId: string): boolean {
    if (this.starts.size === 0) setTimeout(() => this.starts.clear(), restMs).unref();
    const starts = (this.starts.get(teamId) ?? 0) + 1;
    this.starts.set(teamId, starts);
    return starts <= maxStartsPerTeam;
  }

  /**
   * Whoever was poked may not have been there: where pokes were sent the lane is started once more at the end, for a team
   * that it was not started for the last time where there is one: each has its own turn among the lanes of a worker.
   */
  private rest(lane: string, startedFor: string): void {
    const askers = new Set<string>();
    this.resting.set(lane, askers);
    setTimeout(() => {
      this.resting.delete(lane);
      const isAskedAgain = askers.delete(startedFor);
      const hasStarted = [...askers].some((teamId) => this.start(lane, teamId));
      if (!hasStarted && isAskedAgain) this.start(lane, startedFor);
    }, restMs).unref();
  }

  private poke(): void {
    this.gathering = undefined;
    this.ways.poke([...this.toPoke]);
    this.toPoke.clear();
  }
}
