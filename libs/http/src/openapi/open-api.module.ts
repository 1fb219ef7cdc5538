import { Global, Module } from '@nestjs/common';
import { ApiDocument } from './api-document.js';
import { OpenApiController } from './open-api.controller.js';

/** The API document at `/openapi.json`, and as a page without scripts at `/docs/plain`. `/docs` is a page of the dashboard. */
@Global()
@Module({ controllers: [OpenApiController], providers: [ApiDocument], exports: [ApiDocument] })
export class OpenApiModule {}
