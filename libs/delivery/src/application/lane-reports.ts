import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { LaneReport } from '../domain/lane-limits.js';
import { DeliveryQueue } from './ports/delivery-queue.port.js';
import { DeliveryTransport } from './ports/delivery-transport.port.js';

/** Interval between two reports. All lanes of a worker are reported in one statement. */
const everyMs = 1_000;
/** Lanes reported in one interval. Where more are open they take turns, and each is reported less often. */
const maxReports = 500;
/** Weight of the latest interval in the average pace. */
const smoothing = 0.5;

/** What a drain reports about itself. */
interface HeldRecipients {
  readonly count: number;
  /** Number of recipients that were held and no longer are. */
  readonly finished: number;
}

interface OpenLane {
  readonly held: HeldRecipients;
  finished: number;
  lookedAt: number;
  perSecond: number;
  /** The database may hold a report of this lane. */
  isReported: boolean;
}

/**
 * Records what holds lanes back. The limits live in the memory of the worker that drains the lane, while a trace may be
 * read in another process. A lane that nothing holds back is not written.
 */
@Injectable()
export class LaneReports {
  private readonly lanes = new Map<string, OpenLane>();
  private timer: NodeJS.Timeout | undefined;
  private writing = false;

  constructor(
    private readonly queue: DeliveryQueue,
    private readonly transport: DeliveryTransport,
    private readonly clock: Clock,
  ) {}

  /** Reports on the lane until `close`. */
  open(lane: string, workerId: string, held: HeldRecipients): void {
    this.lanes.set(lane, {
      held,
      finished: held.finished,
      lookedAt: performance.now(),
      perSecond: 0,
      isReported: false,
    });
    // oxlint-disable-next-line no-restricted-globals -- Runs only while lanes are drained.
    this.timer ??= setInterval(() => void this.write(workerId), everyMs);
  }

  close(lane: string): void {
    this.lanes.delete(lane);
    if (this.lanes.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private async write(workerId: string): Promise<void> {
    if (this.writing) return;
    const reports = this.next().flatMap(([name, lane]) => {
      const report = this.reportOf(name, lane);
      return report !== undefined || lane.isReported ? [{ lane: name, report }] : [];
    });
    if (reports.length === 0) return;
    const written = reports.map(({ lane, report }) => ({
      lane: this.lanes.get(lane),
      isReported: report !== undefined,
    }));
    this.writing = true;
    try {
      await this.queue.report(workerId, reports);
      for (const { lane, isReported } of written) if (lane !== undefined) lane.isReported = isReported;
    } catch {
      // It is unknown whether the report was written, so the next interval writes again, even if only to clear it.
      for (const { lane } of written) if (lane !== undefined) lane.isReported = true;
    } finally {
      this.writing = false;
    }
  }

  /** The next lanes to report. They move to the back of the order. */
  private next(): [string, OpenLane][] {
    const turns = [...this.lanes].slice(0, maxReports);
    if (this.lanes.size > maxReports) {
      for (const [name, lane] of turns) {
        this.lanes.delete(name);
        this.lanes.set(name, lane);
      }
    }
    return turns;
  }

  private reportOf(name: string, lane: OpenLane): LaneReport | undefined {
    const { count, finished } = lane.held;
    const now = performance.now();
    const perSecond = ((finished - lane.finished) * 1_000) / Math.max(1, now - lane.lookedAt);
    lane.perSecond += (perSecond - lane.perSecond) * smoothing;
    lane.finished = finished;
    lane.lookedAt = now;
    const limits = this.transport.limitsOf(name);
    if (limits === undefined) return undefined;
    return { ...limits, at: this.clock.now(), held: count, perSecond: Math.round(lane.perSecond * 100) / 100 };
  }
}
