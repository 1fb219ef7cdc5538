import { GivenStyles } from '../../domain/styles/team-styles.js';

/** The styles that teams have set. */
export abstract class StyleRepository {
  abstract find(teamId: string): Promise<GivenStyles>;

  abstract save(teamId: string, styles: GivenStyles, now: Date): Promise<void>;
}
