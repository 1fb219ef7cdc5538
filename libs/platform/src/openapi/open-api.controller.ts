import { Controller, Get, Header } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { ApiDocument } from './api-document.js';
import { ApiExcludeController } from './descriptions.js';
import { docsPage } from './docs-page.js';

@Controller()
@ApiExcludeController()
export class OpenApiController {
  constructor(private readonly api: ApiDocument) {}

  @Get('openapi.json')
  document(): Promise<OpenAPIObject> {
    return this.api.document();
  }

  @Get('docs')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  async page(): Promise<string> {
    return docsPage(await this.api.document());
  }
}
