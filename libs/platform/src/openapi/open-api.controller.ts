import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiDocument } from './api-document.js';
import { docsPage } from './docs-page.js';

@Controller()
@ApiExcludeController()
export class OpenApiController {
  constructor(private readonly api: ApiDocument) {}

  @Get('openapi.json')
  document(): OpenAPIObject {
    return this.api.document;
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  page(): string {
    return docsPage(this.api.document);
  }
}
