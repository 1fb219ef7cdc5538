import { Controller, Get, Header } from '@nestjs/common';
import type { Schema } from '../api-description/index.js';
import { ApiDocument } from './api-document.js';
import { ApiExcludeController } from './descriptions.js';

@Controller()
@ApiExcludeController()
export class OpenApiController {
  constructor(private readonly api: ApiDocument) {}

  @Get('openapi.json')
  document(): Promise<Schema> {
    return this.api.document();
  }

  /** For a program that was built without the dashboard, and for browsers without scripts. */
  @Get('docs/plain')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  async page(): Promise<string> {
    const { docsPage } = await import('../api-description/index.js');
    return docsPage(await this.api.document());
  }
}
