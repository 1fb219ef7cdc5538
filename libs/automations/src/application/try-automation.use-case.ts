import { checkValues, ContactKey, ContactProperty, ContactValues, FindGroups } from '#audience';
import type { MergeFields } from '#audience';
import { PreviewEmail } from '#emails';
import { Clock, found, NotFoundError, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { Effect } from '../domain/decide.js';
import { checkedPayload, Payload } from '../domain/event-definition.js';
import { Graph } from '../domain/graph.js';
import { AutomationSettings } from '../domain/settings.js';
import { Timeline, Trial, TrialContact, TrialEmail } from '../domain/trial.js';
import { CheckAutomation } from './check-automation.js';
import { EventRepository } from './ports/event-repository.port.js';
import { RuleJudge } from './ports/rule-judge.port.js';
import { TrialRules } from './trial-rules.js';
import { TrialRun, TrialWorld } from './trial-run.js';

/** Somebody who need not be a contact. */
export interface MadeUpContact {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly unsubscribed: boolean;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface RequestedTrial {
  readonly graph: Graph;
  readonly settings: AutomationSettings;
  readonly contact: ContactKey | MadeUpContact;
  readonly payload: Payload;
  /** The key of the trigger that begins it. */
  readonly trigger: string;
  readonly events: readonly { readonly afterMs: number; readonly name: string; readonly payload: Payload }[];
  /** What calls are answered with, by the key of the step. */
  readonly answers: Readonly<Record<string, unknown>>;
  readonly startAt: Date | undefined;
}

/** The emails of a trial are shown up to this length together; those behind it without their content. */
const maxShownLength = 2_000_000;

/** Runs an automation in fast time. Nothing is stored, sent or called. */
@Injectable()
export class TryAutomation {
  // oxlint-disable-next-line max-params -- what the steps of a run look at, and where their rules are judged
  constructor(
    private readonly check: CheckAutomation,
    private readonly events: EventRepository,
    private readonly contacts: ContactValues,
    private readonly groups: FindGroups,
    private readonly preview: PreviewEmail,
    private readonly judge: RuleJudge,
    private readonly clock: Clock,
  ) {}

  async run(teamId: string, requested: RequestedTrial): Promise<Trial> {
    const { graph, settings, trigger, answers, startAt = this.clock.now() } = requested;
    this.check.checkUrls(graph);
    const properties = await this.contacts.propertiesOf(teamId);
    const contact = await this.contactOf(teamId, requested.contact, properties);
    const timeline = new Timeline(
      requested.events.map(({ afterMs, name, payload }) => ({
        at: new Date(startAt.getTime() + afterMs),
        name,
        payload,
      })),
    );
    const setup = { graph, settings, trigger, payload: requested.payload, contact, timeline, answers, startAt };
    return new TrialRun(setup, this.worldOf(teamId, properties), new TrialRules(this.judge, teamId)).run();
  }

  private async contactOf(
    teamId: string,
    given: RequestedTrial['contact'],
    properties: readonly ContactProperty[],
  ): Promise<TrialContact> {
    const unchanged = { addedTo: [], removedFrom: [], isDeleted: false };
    if ('properties' in given) {
      const types = Object.fromEntries(properties.map(({ key, type }) => [key, type]));
      const own = checkValues(given.properties, types);
      const all = properties.map(({ key, fallbackValue }) => [key, own[key] ?? fallbackValue]);
      return {
        ...given,
        id: given.email,
        properties: Object.fromEntries(all) as TrialContact['properties'],
        ...unchanged,
      };
    }
    const known = await this.contacts.find(teamId, given);
    if (known !== undefined) return { ...known, ...unchanged };
    // An address becomes a contact when a run begins.
    if ('id' in given) throw new NotFoundError('Contact');
    const stranger = { email: given.email, firstName: null, lastName: null, unsubscribed: false, properties: {} };
    return this.contactOf(teamId, stranger, properties);
  }

  private worldOf(teamId: string, properties: readonly ContactProperty[]): TrialWorld {
    let shown = 0;
    return {
      change: (effect, contact) => this.changed(teamId, effect, contact, properties),
      mail: async (stepKey, { email }, contact): Promise<TrialEmail> => {
        const request = { ...email, to: contact.email };
        const hasContent = shown < maxShownLength;
        const previewed = await this.preview.preview(teamId, request, mergeFields(contact, properties), { hasContent });
        shown += (previewed.html?.length ?? 0) + (previewed.text?.length ?? 0);
        return { stepKey, templateId: email.template.id, ...previewed };
      },
    };
  }

  private async changed(
    teamId: string,
    effect: Effect,
    contact: TrialContact,
    properties: readonly ContactProperty[],
  ): Promise<TrialContact> {
    switch (effect.type) {
      case 'contact_update': {
        const { properties: given = {}, ...fields } = effect.patch;
        const types = Object.fromEntries(properties.map(({ key, type }) => [key, type]));
        return { ...contact, ...fields, properties: { ...contact.properties, ...checkValues(given, types) } };
      }
      case 'contact_delete':
        return { ...contact, isDeleted: true };
      case 'add_to_segment':
        await this.checkSegment(teamId, effect.segmentId);
        return { ...contact, addedTo: [...contact.addedTo, effect.segmentId] };
      case 'remove_from_segment':
        await this.checkSegment(teamId, effect.segmentId);
        return { ...contact, removedFrom: [...contact.removedFrom, effect.segmentId] };
      case 'send_event':
        checkedPayload(effect.payload, (await this.events.schemaOf(teamId, effect.name)) ?? null);
        return contact;
      default:
        return contact;
    }
  }

  private async checkSegment(teamId: string, id: string): Promise<void> {
    const { filter, name } = found('Audience', await this.groups.segment(teamId, id));
    if (filter === null) return;
    throw new ValidationError(`The members of the segment \`${name}\` follow from its filter.`);
  }
}

/** The values of the contact as a merge uses them. */
function mergeFields(
  { email, firstName, lastName, properties: own }: TrialContact,
  all: readonly ContactProperty[],
): MergeFields {
  const lacking = new Set(all.filter(({ key }) => (own[key] ?? null) === null).map(({ key }) => key));
  const properties = Object.fromEntries(all.map(({ key, fallbackValue }) => [key, own[key] ?? fallbackValue]));
  return { email, firstName, lastName, properties, lacking };
}
