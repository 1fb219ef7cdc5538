import { actorColumns } from '#identity';
import type { Actor } from '#identity';
import { Database, Row } from '#postgres/database';
import { Injectable } from '@nestjs/common';
import { SenderProfiles } from '../../application/ports/unsubscribing.port.js';
import type { LogoType, SenderProfile, SenderProfileChanges } from '../../domain/sender-profile.js';

interface ProfileRow {
  readonly teamName: string;
  readonly name: string | null;
  readonly logo: Buffer | null;
  readonly logoType: LogoType | null;
  readonly accentColor: string | null;
}

@Injectable()
export class PostgresSenderProfiles extends SenderProfiles {
  constructor(private readonly database: Database) {
    super();
  }

  async find(teamId: string): Promise<SenderProfile | undefined> {
    const [row] = await this.database.query<Row<ProfileRow>>({
      name: 'sender-profile',
      text: `SELECT t.name AS "teamName", p.name, p.logo, p.logo_type AS "logoType", p.accent_color AS "accentColor"
             FROM published_teams t LEFT JOIN sender_profiles p ON p.team_id = t.id WHERE t.id = $1`,
      values: [teamId],
    });
    if (row === undefined) return undefined;
    const { teamName, name, logo, logoType, accentColor } = row;
    return {
      name: name ?? teamName,
      isOwnName: name !== null,
      logo: logo === null || logoType === null ? null : { contentType: logoType, bytes: logo },
      accentColor,
    };
  }

  async change(
    teamId: string,
    { name, logo, accentColor }: SenderProfileChanges,
    actor: Actor,
    at: Date,
  ): Promise<void> {
    const { api_key_id, actor_kind, actor_id } = actorColumns(actor);
    await this.database.execute({
      text: `INSERT INTO sender_profiles AS p (team_id, name, logo, logo_type, accent_color, updated_at, api_key_id, actor_kind, actor_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
             ON CONFLICT (team_id) DO UPDATE SET
               name = CASE WHEN $10 THEN $2 ELSE p.name END,
               logo = CASE WHEN $11 THEN $3 ELSE p.logo END,
               logo_type = CASE WHEN $11 THEN $4 ELSE p.logo_type END,
               accent_color = CASE WHEN $12 THEN $5 ELSE p.accent_color END,
               updated_at = $6, api_key_id = $7, actor_kind = $8, actor_id = $9`,
      values: [
        teamId,
        name ?? null,
        logo == null ? null : Buffer.from(logo.bytes),
        logo?.contentType ?? null,
        accentColor ?? null,
        at,
        api_key_id ?? null,
        actor_kind ?? null,
        actor_id ?? null,
        name !== undefined,
        logo !== undefined,
        accentColor !== undefined,
      ],
    });
  }
}
