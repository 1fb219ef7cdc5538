import { BroadcastsModule } from '#broadcasts';
import { IdentityModule } from '#identity';
import { TemplatesModule } from '#templates';
import { Module } from '@nestjs/common';
import { ComposableContents } from './application/composable-contents.js';
import { ContentVersions } from './application/content-versions.use-case.js';
import { EditorContents } from './application/editor-contents.use-case.js';
import { EditorPresence } from './application/editor-presence.use-case.js';
import { ContentStates, PresenceBoard, VersionRepository } from './application/ports/contents.port.js';
import { DocumentComposer } from './application/ports/document-composer.port.js';
import { MailPictures } from './application/ports/mail-pictures.port.js';
import { SectionRepository, StyleRepository } from './application/ports/sections-and-styles.port.js';
import { SavedSections } from './application/saved-sections.use-case.js';
import { StylesOfTeams } from './application/styles-of-teams.use-case.js';
import { DrawnPictures } from './infrastructure/assets/drawn-pictures.js';
import { SignedAssetLinks } from './infrastructure/assets/signed-asset-links.js';
import { ThreadedDocumentComposer } from './infrastructure/composing/threaded-document-composer.js';
import { AgentPromptController } from './infrastructure/http/agent-prompt.controller.js';
import { ContentVersionsController } from './infrastructure/http/content-versions.controller.js';
import { EditorController } from './infrastructure/http/editor.controller.js';
import { PicturesController } from './infrastructure/http/pictures.controller.js';
import { SectionsController } from './infrastructure/http/sections.controller.js';
import { PostgresContentStates } from './infrastructure/persistence/postgres-content-states.js';
import { PostgresPresenceBoard } from './infrastructure/persistence/postgres-presence-board.js';
import {
  PostgresSectionRepository,
  PostgresStyleRepository,
} from './infrastructure/persistence/postgres-sections-and-styles.js';
import { PostgresVersionRepository } from './infrastructure/persistence/postgres-version-repository.js';

/** Documents of broadcasts and templates, and what is around them. */
@Module({
  imports: [IdentityModule, BroadcastsModule, TemplatesModule],
  providers: [
    { provide: VersionRepository, useClass: PostgresVersionRepository },
    { provide: PresenceBoard, useClass: PostgresPresenceBoard },
    { provide: ContentStates, useClass: PostgresContentStates },
    { provide: SectionRepository, useClass: PostgresSectionRepository },
    { provide: StyleRepository, useClass: PostgresStyleRepository },
    SignedAssetLinks,
    { provide: MailPictures, useClass: DrawnPictures },
    { provide: DocumentComposer, useClass: ThreadedDocumentComposer },
    ComposableContents,
    EditorContents,
    ContentVersions,
    EditorPresence,
    StylesOfTeams,
    SavedSections,
  ],
  exports: [EditorContents, ContentVersions, EditorPresence, StylesOfTeams, SavedSections, MailPictures],
})
export class EditorModule {}

@Module({
  imports: [EditorModule, IdentityModule],
  controllers: [
    EditorController,
    ContentVersionsController,
    SectionsController,
    AgentPromptController,
    PicturesController,
  ],
})
export class EditorHttpModule {}
