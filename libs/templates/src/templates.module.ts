import { IdentityModule } from '#identity';
import { Module } from '@nestjs/common';
import { PublishedTemplates, TemplateRepository } from './application/ports/template-repository.port.js';
import { ReadTemplates } from './application/read-templates.query.js';
import { WriteTemplates } from './application/write-templates.use-case.js';
import { TemplatesController } from './infrastructure/http/templates.controller.js';
import { PostgresPublishedTemplates } from './infrastructure/persistence/postgres-published-templates.js';
import { PostgresTemplateRepository } from './infrastructure/persistence/postgres-template-repository.js';

/** Stored contents of emails. */
@Module({
  imports: [IdentityModule],
  providers: [
    { provide: TemplateRepository, useClass: PostgresTemplateRepository },
    { provide: PublishedTemplates, useClass: PostgresPublishedTemplates },
    WriteTemplates,
    ReadTemplates,
  ],
  exports: [PublishedTemplates, WriteTemplates, ReadTemplates],
})
export class TemplatesModule {}

@Module({ imports: [TemplatesModule, IdentityModule], controllers: [TemplatesController] })
export class TemplatesHttpModule {}
