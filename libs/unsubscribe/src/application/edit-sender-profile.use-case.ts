import type { Principal } from '#identity';
import { Clock, found } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SenderProfile, SenderProfileChanges } from '../domain/sender-profile.js';
import { SenderProfiles } from './ports/unsubscribing.port.js';

/** Reads and changes how a team presents itself on its preference page. */
@Injectable()
export class EditSenderProfile {
  constructor(
    private readonly profiles: SenderProfiles,
    private readonly clock: Clock,
  ) {}

  async find(teamId: string): Promise<SenderProfile> {
    return found('Team', await this.profiles.find(teamId));
  }

  async change(principal: Principal, changes: SenderProfileChanges): Promise<SenderProfile> {
    principal.require('audience:write');
    await this.profiles.change(principal.teamId, changes, principal.actor, this.clock.now());
    return this.find(principal.teamId);
  }
}
