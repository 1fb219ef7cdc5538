import { ContactProperty, ContactValues } from '#audience';
import { CompiledMailing, Mailing, SendMailing, unsubscribeTags } from '#emails';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { subjectsOf } from '../domain/fan-out/waves.js';
import { sentContent } from '../domain/sent-content.js';
import { usedNames } from '../domain/broadcast-tags.js';
import { BroadcastRepository } from './ports/broadcast-repository.port.js';
import { BroadcastWork } from './ports/broadcast-runs.port.js';

/** The parts of a broadcast that all of its slices share. */
export interface OpenMailing {
  readonly mailing: Mailing;
  readonly compiled: CompiledMailing;
  readonly topicId: string | null;
  readonly domainId: string;
  /** Names of the tags that it uses. */
  readonly names: ReadonlySet<string>;
  /** The properties that its tags name. */
  readonly properties: readonly ContactProperty[];
}

/** Bodies may have 2 MB. */
const maxOpen = 8;
/** A property that is added or deleted meanwhile counts from then on. */
const openForMs = 30_000;

/** Reads a broadcast once for many slices: its content does not change any more once it is being sent. */
@Injectable()
export class OpenMailings {
  private readonly open = new Map<
    string,
    { readonly until: number; readonly mailing: Promise<OpenMailing | undefined> }
  >();

  constructor(
    private readonly broadcasts: BroadcastRepository,
    private readonly contacts: ContactValues,
    private readonly sendMailing: SendMailing,
    private readonly clock: Clock,
  ) {}

  /** Undefined if the broadcast does not exist any more. */
  of(work: BroadcastWork): Promise<OpenMailing | undefined> {
    const now = this.clock.now().getTime();
    const known = this.open.get(work.broadcastId);
    if (known !== undefined && known.until > now) return known.mailing;
    this.open.delete(work.broadcastId);
    const [oldest] = this.open.keys();
    if (oldest !== undefined && this.open.size >= maxOpen) this.open.delete(oldest);
    const mailing = this.read(work);
    this.open.set(work.broadcastId, { until: now + openForMs, mailing });
    mailing.catch(() => this.open.delete(work.broadcastId));
    return mailing;
  }

  private async read({ teamId, broadcastId }: BroadcastWork): Promise<OpenMailing | undefined> {
    const broadcast = await this.broadcasts.find(teamId, broadcastId);
    if (broadcast === undefined) return undefined;
    const names = usedNames(broadcast, subjectsOf(broadcast));
    const properties = await this.contacts.propertiesOf(teamId);
    const mailing: Mailing = {
      teamId,
      actor: broadcast.actor,
      from: broadcast.from,
      replyTo: broadcast.replyTo ?? undefined,
      topicId: broadcast.topicId ?? undefined,
      subjects: subjectsOf(broadcast),
      content: sentContent(broadcast, unsubscribeTags),
    };
    return {
      mailing,
      compiled: this.sendMailing.compile(mailing),
      topicId: broadcast.topicId,
      domainId: broadcast.domainId ?? '',
      names,
      properties: properties.filter(({ key }) => names.has(key.toLowerCase())),
    };
  }
}
