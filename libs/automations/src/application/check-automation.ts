import { ContactValues, FindGroups } from '#audience';
import { DomainError, Transaction, ValidationError } from '#kernel';
import { PublishedTemplates } from '#templates';
import { EndpointRules, parseEndpoint } from '#webhooks';
import { Injectable } from '@nestjs/common';
import { AutomationWithGraph } from '../domain/automation.js';
import { Graph, GraphReference, GraphTrigger } from '../domain/graph.js';
import { AutomationRepository } from './ports/automation-repository.port.js';

/** An enabled automation sends what it names, so that it must be there. */
export class UnsendableTemplateError extends DomainError {
  constructor(stepKey: string, templateId: string) {
    super(
      'invalid',
      'validation_error',
      `The template \`${templateId}\` of the step \`${stepKey}\` does not exist or is not published.`,
    );
  }
}

/** Triggers on dates of a team, and triggers on segments: each of them is followed for all contacts of the team. */
export const maxFollowedTriggers = 50;

export class TooManyTriggersError extends DomainError {
  constructor(thing: 'a date' | 'a segment') {
    const message = `The enabled automations of a team may have at most ${maxFollowedTriggers} triggers that begin with ${thing}.`;
    super('invalid', 'validation_error', message);
  }
}

/** Of the steps and connections of an automation, as JSON. */
const maxCharacters = 524_288;
/** Of all automations of a team: an event may begin runs in each of them. */
const maxCharactersOfTeam = 16_777_216;

export class LargeAutomationError extends DomainError {
  constructor(whose: 'An automation' | 'The automations of a team') {
    const most = whose === 'An automation' ? '512 KB' : '16 MB';
    super('invalid', 'validation_error', `${whose} may have at most ${most} of steps and connections.`);
  }
}

/** Of all versions that are stored for a team: one event may make runs of each of them go on. */
const maxCharactersOfVersions = 67_108_864;

export class TooManyVersionsError extends DomainError {
  constructor() {
    super(
      'invalid',
      'validation_error',
      'The automations of a team may have at most 64 MB of steps and connections, together with the earlier versions that ' +
        'their runs began with. A version is removed with the last of its runs, or with its automation.',
    );
  }
}

/** Checks that what an automation names can be used. */
@Injectable()
export class CheckAutomation {
  constructor(
    private readonly automations: AutomationRepository,
    private readonly templates: PublishedTemplates,
    private readonly groups: FindGroups,
    private readonly contacts: ContactValues,
    private readonly rules: EndpointRules,
  ) {}

  /** What steps that are new name by id is there, also while it is disabled. Throws errors that name the step. */
  async checkReferences(teamId: string, graph: Graph): Promise<void> {
    for (const { key, kind, id } of graph.references) {
      if (await this.has(teamId, kind, id)) continue;
      const where = graph.step(key)?.stored.type === 'trigger' ? 'trigger' : 'step';
      throw new ValidationError(`The ${kind} of the ${where} \`${key}\` does not exist.`);
    }
  }

  /** What it names may be removed, and be a template that does not exist, as long as it is disabled. */
  async check(teamId: string, { status, graph }: Pick<AutomationWithGraph, 'status' | 'graph'>): Promise<void> {
    this.checkUrls(graph);
    if (status === 'disabled') return;
    for (const [templateId, stepKey] of graph.templates) {
      const template = await this.templates.find(teamId, templateId);
      if (template === undefined || template === 'draft') throw new UnsendableTemplateError(stepKey, templateId);
    }
    await this.checkReferences(teamId, graph);
    for (const trigger of graph.triggers) await this.checkTrigger(teamId, trigger);
  }

  /**
   * Throws if a new graph is larger than graphs may be, or with those of the team, unless it is smaller than the present
   * one; and if there is no room for another version. The team is locked in the transaction.
   */
  async checkSize(
    teamId: string,
    { stored }: Graph,
    present: Pick<AutomationWithGraph, 'id' | 'graph'> | undefined,
    transaction: Transaction,
  ): Promise<void> {
    const { length } = JSON.stringify(stored);
    const { others, withVersions } = await this.automations.charactersOfGraphs(teamId, present?.id, transaction);
    if (withVersions + length > maxCharactersOfVersions) throw new TooManyVersionsError();
    if (present !== undefined && length <= JSON.stringify(present.graph.stored).length) return;
    if (length > maxCharacters) throw new LargeAutomationError('An automation');
    if (others + length > maxCharactersOfTeam) throw new LargeAutomationError('The automations of a team');
  }

  /** Throws if the team would have more triggers than it may have. It is locked in the transaction. */
  async checkCounts(
    teamId: string,
    { status, graph: { triggers } }: Pick<AutomationWithGraph, 'status' | 'graph'>,
    id: string | undefined,
    transaction: Transaction,
  ): Promise<void> {
    if (status === 'disabled') return;
    const dates = triggers.filter(({ action }) => action.date !== null).length;
    const segments = triggers.filter(({ action }) => action.eventName === 'resend:segment.entered').length;
    if (dates + segments === 0) return;
    const others = await this.automations.countTriggers(teamId, id, transaction);
    if (dates > 0 && others.dates + dates > maxFollowedTriggers) throw new TooManyTriggersError('a date');
    if (segments > 0 && others.segments + segments > maxFollowedTriggers) throw new TooManyTriggersError('a segment');
  }

  checkUrls(graph: Graph): void {
    for (const { stored, action } of graph.all) {
      if (action.type !== 'webhook') continue;
      try {
        parseEndpoint(action.url, this.rules, 'url');
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        throw new ValidationError(`Invalid step \`${stored.key}\`: ${error.message}`);
      }
    }
  }

  private async has(teamId: string, kind: GraphReference['kind'], id: string): Promise<boolean> {
    if (kind === 'segment') return (await this.groups.segment(teamId, id)) !== undefined;
    if (kind === 'topic') return (await this.groups.topic(teamId, id)) !== undefined;
    return this.automations.has(teamId, kind, id);
  }

  private async checkTrigger(teamId: string, { key, action }: GraphTrigger): Promise<void> {
    const { date } = action;
    if (date === null) return;
    const property = (await this.contacts.propertiesOf(teamId)).find((each) => each.key === date.property);
    if (property?.type !== 'string') {
      throw new ValidationError(
        `The contact property \`${date.property}\` of the trigger \`${key}\` does not exist, or holds numbers.`,
      );
    }
  }
}
