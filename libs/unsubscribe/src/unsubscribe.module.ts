import { AudienceModule } from '#audience';
import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { ChangePreferences } from './application/change-preferences.use-case.js';
import { EditSenderProfile } from './application/edit-sender-profile.use-case.js';
import { MailSubjects, SenderProfiles, UnsubscribeTokens } from './application/ports/unsubscribing.port.js';
import { ReadPreferences } from './application/read-preferences.query.js';
import { UnsubscribeByMail } from './application/unsubscribe-by-mail.use-case.js';
import { SenderProfileController } from './infrastructure/http/sender-profile.controller.js';
import { UnsubscribeController } from './infrastructure/http/unsubscribe.controller.js';
import { HeaderSubjects } from './infrastructure/mime/header-subjects.js';
import { PostgresSenderProfiles } from './infrastructure/persistence/postgres-sender-profiles.js';
import { MailUnsubscribe } from './infrastructure/rendering/mail-unsubscribe.js';
import { SignedUnsubscribeTokens } from './infrastructure/tokens/signed-unsubscribe-tokens.js';

const tokens = { provide: UnsubscribeTokens, useClass: SignedUnsubscribeTokens };

/** Puts links to unsubscribe into mail. */
@Module({ providers: [tokens, MailUnsubscribe], exports: [MailUnsubscribe] })
export class UnsubscribeLinksModule {}

/** Carries out what recipients choose. */
@Module({
  imports: [AudienceModule],
  providers: [
    tokens,
    { provide: SenderProfiles, useClass: PostgresSenderProfiles },
    { provide: MailSubjects, useClass: HeaderSubjects },
    ReadPreferences,
    ChangePreferences,
    UnsubscribeByMail,
    EditSenderProfile,
  ],
  exports: [ReadPreferences, ChangePreferences, UnsubscribeByMail, EditSenderProfile],
})
export class UnsubscribeModule {}

/** The preference page, and the settings of its look. */
@Module({
  imports: [UnsubscribeModule, IdentityModule],
  controllers: [UnsubscribeController, SenderProfileController],
})
export class UnsubscribeHttpModule {}
