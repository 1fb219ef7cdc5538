import { Global, Module } from '@nestjs/common';
import { ApiDocument } from './api-document.js';
import { OpenApiController } from './open-api.controller.js';

/** The API document at `/openapi.json`. The dashboard shows it at `/docs`. */
@Global()
@Module({ controllers: [OpenApiController], providers: [ApiDocument], exports: [ApiDocument] })
export class OpenApiModule {}
