import type { ReceivedEmail } from '#inbound';
import { Injectable } from '@nestjs/common';
import { HandOver, HandOverOutcome, HandOverRequest } from './ports/hand-over.port.js';

/** Deliveries to hosts that are under way, of one team and of all. */
const maxOfTeam = 4;
const maxInAll = 64;
/** How long a run waits for a host. A slower delivery goes on. */
const waitMs = 2_000;

/** What is told of a delivery beside its state. */
export interface HandOverListener {
  /** It has ended, or none began. */
  ended(): void;
  /**
   * It took longer than the run waited, and is not to be made again: to be written down, so that no run of any process
   * does.
   */
  settledLate(outcome: HandOverOutcome): Promise<void>;
}

export type HandOverState = HandOverOutcome | { readonly kind: 'under_way' | 'busy' };

/** Hands messages to hosts of teams. A host that is slow holds up neither other teams nor other messages. */
@Injectable()
export class HandOvers {
  private readonly underWay = new Map<string, Promise<HandOverOutcome>>();
  private readonly finished = new Map<string, HandOverOutcome>();
  private readonly ofTeams = new Map<string, number>();

  constructor(private readonly handOver: HandOver) {}

  /** `key` identifies the delivery. */
  async deliver(
    { teamId }: ReceivedEmail,
    key: string,
    request: HandOverRequest,
    listener: HandOverListener,
  ): Promise<HandOverState> {
    const finished = this.finished.get(key);
    const known = this.underWay.get(key);
    const ofTeam = this.ofTeams.get(teamId) ?? 0;
    const isBusy = ofTeam >= maxOfTeam || this.underWay.size >= maxInAll;
    if (finished !== undefined || known !== undefined || isBusy) {
      listener.ended();
      this.finished.delete(key);
      return finished ?? (known === undefined ? { kind: 'busy' } : { kind: 'under_way' });
    }
    this.ofTeams.set(teamId, ofTeam + 1);
    const delivery = this.handOver.deliver(request).finally(() => this.end(teamId, key, listener));
    this.underWay.set(key, delivery);
    return this.firstOf(key, delivery, listener);
  }

  private async firstOf(
    key: string,
    delivery: Promise<HandOverOutcome>,
    listener: HandOverListener,
  ): Promise<HandOverState> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<HandOverState>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'under_way' }), waitMs);
    });
    const state = await Promise.race([delivery, late]);
    clearTimeout(timer);
    if (state.kind === 'under_way') void this.keep(key, delivery, listener);
    return state;
  }

  /** Of deliveries that took long: what failed, and what could not be written down, until the next run asks. */
  private async keep(key: string, delivery: Promise<HandOverOutcome>, listener: HandOverListener): Promise<void> {
    const outcome = await delivery.catch((): HandOverOutcome => ({ kind: 'failed', detail: 'could not be made' }));
    const isWritten = outcome.kind !== 'failed' && (await succeeds(listener.settledLate(outcome)));
    if (isWritten) return;
    if (this.finished.size >= 1_000) this.finished.clear();
    this.finished.set(key, outcome);
  }

  private end(teamId: string, key: string, listener: HandOverListener): void {
    this.underWay.delete(key);
    const left = (this.ofTeams.get(teamId) ?? 1) - 1;
    if (left === 0) this.ofTeams.delete(teamId);
    else this.ofTeams.set(teamId, left);
    listener.ended();
  }
}

function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
