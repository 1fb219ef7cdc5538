import { Global, Module } from '@nestjs/common';
import { PersonalDataHolders } from './personal-data.js';
import { TeamEventsData } from './team-events-data.js';

/** For every process: features register what they hold about people. */
@Global()
@Module({ providers: [PersonalDataHolders, TeamEventsData], exports: [PersonalDataHolders] })
export class PrivacyRegistryModule {}
