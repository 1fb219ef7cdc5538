import type { Principal } from '#identity';
import { Clock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { completeStyles, GivenStyles, parseStyles, TeamStyles } from '../domain/styles/team-styles.js';
import { StyleRepository } from './ports/sections-and-styles.port.js';

export interface StylesOfTeam {
  /** What the team has set. */
  readonly given: GivenStyles;
  /** With everything that follows from it. */
  readonly complete: TeamStyles;
}

/** The styles that the emails of a team share. Content that was written before keeps its look until it is written again. */
@Injectable()
export class StylesOfTeams {
  constructor(
    private readonly styles: StyleRepository,
    private readonly clock: Clock,
  ) {}

  async find(teamId: string): Promise<StylesOfTeam> {
    const given = await this.styles.find(teamId);
    return { given, complete: completeStyles(given) };
  }

  /** Replaces all styles. */
  async save(principal: Principal, given: unknown): Promise<StylesOfTeam> {
    principal.require('templates:write');
    const styles = parseStyles(given);
    await this.styles.save(principal.teamId, styles, this.clock.now());
    return { given: styles, complete: completeStyles(styles) };
  }
}
